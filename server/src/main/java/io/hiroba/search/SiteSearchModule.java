package io.hiroba.search;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import java.util.List;

/** The module of the one search. */
public final class SiteSearchModule implements FeatureModule {

    private final SiteSearch search;

    /** With what the features let people find. */
    public SiteSearchModule(List<SearchSource> sources) {
        this.search = new SiteSearch(sources);
    }

    @Override
    public List<Routes> routes() {
        return List.of(new SiteSearchRoutes(search));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(new SiteSearchPages(shell, search));
    }

    @Override
    public List<NavItem> navigation() {
        return List.of(new NavItem(Text.of("search.title"), SiteSearchPages.PATH, "search", 20, Audience.SIGNED_IN));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(search);
    }
}
