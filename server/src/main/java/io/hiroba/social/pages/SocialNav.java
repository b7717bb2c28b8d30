package io.hiroba.social.pages;

import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** What social adds to the navigation. */
public final class SocialNav {

    public static final List<NavItem> ITEMS = List.of(
            new NavItem("Home", "/", "home", 0, Audience.SIGNED_IN),
            new NavItem("Newest", "/newest", "clock", 10, Audience.SIGNED_IN),
            new NavItem("Search", "/search", "search", 20, Audience.SIGNED_IN));

    private SocialNav() {}
}
