package io.hiroba.accounts.pages;

import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** What accounts adds to the navigation. */
public final class AccountsNav {

    public static final List<NavItem> ITEMS = List.of(
            new NavItem("People", "/users", "people", 100, Audience.SIGNED_IN),
            new NavItem("Settings", "/settings", "settings", 900, Audience.SIGNED_IN),
            new NavItem("Profile", "/settings/profile", "person", 910, Audience.SIGNED_IN),
            new NavItem("E-mail", "/settings/email", "mail", 920, Audience.SIGNED_IN),
            new NavItem("Password", "/settings/password", "shield", 930, Audience.SIGNED_IN),
            new NavItem("Sessions", "/settings/sessions", "device", 950, Audience.SIGNED_IN),
            new NavItem("Tokens", "/settings/tokens", "key", 960, Audience.SIGNED_IN),
            new NavItem("Users", "/admin/users", "shield", 1000, Audience.ADMIN),
            new NavItem("Mail", "/admin/mail", "mail", 1010, Audience.ADMIN));

    private AccountsNav() {}
}
