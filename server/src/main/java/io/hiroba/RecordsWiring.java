package io.hiroba;

import io.hiroba.platform.http.Routes;
import io.hiroba.records.ProjectRoutes;
import io.hiroba.records.Projects;
import io.hiroba.records.schema.Catalog;
import java.util.List;

/** The records feature, wired. */
final class RecordsWiring {

    final Projects projects;
    final Catalog catalog;

    private final Platform platform;

    RecordsWiring(Platform platform) {
        this.platform = platform;
        projects = new Projects(platform.db(), platform.ids());
        catalog = new Catalog(platform.db());
    }

    List<Routes> routes() {
        return List.of(new ProjectRoutes(projects, platform.idempotency(), platform.cursors()));
    }
}
