package io.hiroba.records.views;

import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTemplate;
import io.hiroba.records.ProjectTemplates;
import io.hiroba.records.Projects;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.query.Queries;
import java.util.List;

/** The composition of views and dashboards. */
public final class ViewModule implements FeatureModule, ProjectTemplates.ViewMaker {

    private final Platform platform;
    private final Projects projects;
    private final Queries queries;
    private final Views views;
    private final ViewLinks links;
    private final Dashboards dashboards;

    public ViewModule(Platform platform, Projects projects, SchemaCatalog catalog, Queries queries, Users users) {
        this.platform = platform;
        this.projects = projects;
        this.queries = queries;
        views = new Views(platform.db(), platform.clock(), platform.ids(), projects, catalog, queries);
        links = new ViewLinks(platform.db(), platform.clock(), platform.ids(), projects, catalog, views, users);
        dashboards = new Dashboards(platform.db(), platform.clock(), platform.ids(), catalog);
    }

    public Dashboards dashboards() {
        return dashboards;
    }

    public Views views() {
        return views;
    }

    public ViewLinks links() {
        return links;
    }

    @Override
    public void create(Tx tx, ProjectAccess access, Schema schema, ProjectTemplate.Look look) {
        views.create(tx, access, schema, look);
    }

    @Override
    public void create(Tx tx, ProjectAccess access, ProjectTemplate.Board board) {
        var panels = board.panels().stream()
                .map(each -> Json.exact().treeToValue(each, Dashboard.Panel.class))
                .toList();
        dashboards.create(tx, access, new Dashboard.Draft(board.name(), panels));
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new ViewRoutes(views, projects, queries, platform.idempotency(), platform.cursors()),
                new ViewLinkRoutes(links, views, projects),
                new DashboardRoutes(dashboards, projects, queries, platform.idempotency(), platform.cursors()));
    }
}
