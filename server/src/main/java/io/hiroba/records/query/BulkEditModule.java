package io.hiroba.records.query;

import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordEdits;
import io.hiroba.records.SchemaCatalog;
import java.util.List;

/** The composition of bulk edits and their worker. */
public final class BulkEditModule implements FeatureModule {

    private final BulkEdits bulkEdits;
    private final BulkEditWorker worker;

    public BulkEditModule(
            Platform platform,
            Projects projects,
            SchemaCatalog catalog,
            AccessResolver accessResolver,
            Users users,
            Queries queries,
            RecordEdits edits) {
        var traits = new CallerTraits(users, platform.clock());
        var matcher = new ConditionMatcher(platform.db(), catalog, accessResolver, traits);
        bulkEdits = new BulkEdits(
                platform.db(),
                platform.clock(),
                platform.ids(),
                projects,
                catalog,
                queries,
                new BulkEdits.Writing(edits, matcher, traits));
        worker = bulkEdits.worker(users);
    }

    public BulkEdits bulkEdits() {
        return bulkEdits;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new BulkEditRoutes(bulkEdits));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(worker.start());
    }
}
