package io.hiroba.platform.web;

import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** The page {@code /style}, which shows each shared component in all its states, where {@code http.style-guide} is set. */
public final class StyleGuide implements Routes {

    private static final List<Theme> THEMES = List.of(Theme.LIGHT, Theme.DARK);

    private final Shell shell;
    private final boolean served;

    public StyleGuide(Shell shell, HttpConfig config) {
        this.shell = shell;
        this.served = config.styleGuide();
    }

    @Override
    public void register(RoutesConfig routes) {
        if (served) {
            routes.get("/style", this::show);
        }
    }

    private void show(Context ctx) {
        shell.page(ctx, Text.verbatim("Style guide"), "style/guide", Map.of("form", refused(), "themes", THEMES));
    }

    /** A form with a field that is right and two that are wrong, once for each theme. Developers alone see it, in English. */
    private static Form refused() {
        var form = Form.EMPTY;
        for (var theme : THEMES) {
            form = form.withError(theme.word() + "-price", Text.verbatim("Must be a number."))
                    .withError(theme.word() + "-about", Text.verbatim("Must have at least 10 characters."));
        }
        return form;
    }
}
