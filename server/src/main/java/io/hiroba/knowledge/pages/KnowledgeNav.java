package io.hiroba.knowledge.pages;

import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import java.util.List;

/** What knowledge adds to the navigation. */
public final class KnowledgeNav {

    public static final List<NavItem> ITEMS =
            List.of(new NavItem("Knowledge", Paths.ALL, "book", 160, Audience.SIGNED_IN));

    private KnowledgeNav() {}
}
