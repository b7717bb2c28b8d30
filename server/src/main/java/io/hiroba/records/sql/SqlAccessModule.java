package io.hiroba.records.sql;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.Projects;
import io.hiroba.records.Schemas;
import java.time.Duration;
import java.util.List;

/** The composition of access by SQL. */
public final class SqlAccessModule implements FeatureModule {

    private static final Duration WATCHED = Duration.ofSeconds(15);

    private final Projects projects;
    private final SqlAccess sqlAccess;

    public SqlAccessModule(Platform platform, Projects projects, Schemas schemas) {
        this.projects = projects;
        this.sqlAccess = new SqlAccess(platform.db(), platform.clock(), platform.database(), schemas);
    }

    public SqlAccess sqlAccess() {
        return sqlAccess;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new SqlAccessRoutes(projects, sqlAccess));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(WorkLoop.every(WATCHED, "SQL readers", sqlAccess::endLong));
    }
}
