package io.hiroba.records.views;

import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.Projects;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.query.Queries;
import java.util.List;

/** The composition of views. */
public final class ViewModule implements FeatureModule {

    private final Platform platform;
    private final Projects projects;
    private final Queries queries;
    private final Views views;
    private final ViewLinks links;

    public ViewModule(Platform platform, Projects projects, SchemaCatalog catalog, Queries queries, Users users) {
        this.platform = platform;
        this.projects = projects;
        this.queries = queries;
        views = new Views(platform.db(), platform.clock(), platform.ids(), projects, catalog, queries);
        links = new ViewLinks(platform.db(), platform.clock(), platform.ids(), projects, catalog, views, users);
    }

    public Views views() {
        return views;
    }

    public ViewLinks links() {
        return links;
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new ViewRoutes(views, projects, queries, platform.idempotency(), platform.cursors()),
                new ViewLinkRoutes(links, views, projects));
    }
}
