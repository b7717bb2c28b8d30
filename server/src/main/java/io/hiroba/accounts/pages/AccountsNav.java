package io.hiroba.accounts.pages;

import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** What accounts adds to the navigation. */
public final class AccountsNav {

    public static final List<NavItem> ITEMS = List.of(
            new NavItem("People", "/users", "people", 100, Audience.SIGNED_IN),
            new NavItem("Settings", "/settings", "settings", 900, Audience.SIGNED_IN),
            new NavItem("Users", "/admin/users", "shield", 1000, Audience.ADMIN),
            new NavItem("Mail", "/admin/mail", "mail", 1010, Audience.ADMIN));

    private AccountsNav() {}
}
