package io.hiroba.records.pages;

import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** What records add to the navigation. */
public final class RecordsNav {

    public static final List<NavItem> ITEMS =
            List.of(new NavItem("Records", Paths.ALL, "table", 150, Audience.SIGNED_IN));

    private RecordsNav() {}
}
