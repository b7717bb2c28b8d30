package io.hiroba.activity.pages;

import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** What activity adds to the navigation. */
public final class ActivityNav {

    static final String NOTIFICATIONS = "/notifications";
    static final String SETTINGS = "/settings/notifications";

    public static final List<NavItem> ITEMS = List.of(
            new NavItem("Notifications", NOTIFICATIONS, "bell", 30, Audience.SIGNED_IN),
            new NavItem("Notifications", SETTINGS, "bell", 940, Audience.SIGNED_IN));

    private ActivityNav() {}
}
