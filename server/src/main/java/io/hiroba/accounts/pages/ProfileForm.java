package io.hiroba.accounts.pages;

import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.SafeHtml;
import java.util.List;

/** The form in which people change their profile, with what there is to choose from. */
public record ProfileForm(Form form, SafeHtml preview, List<String> zones, List<String> models) {

    public ProfileForm {
        zones = List.copyOf(zones);
        models = List.copyOf(models);
    }
}
