package io.hiroba.records.query;

import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.Projects;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.tuning.PlannerHints;
import java.util.List;
import java.util.Map;

/** The composition of queries, saved queries and their notifier. */
public final class QueryModule implements FeatureModule {

    private final Platform platform;
    private final Queries queries;
    private final SavedQueries saved;
    private final SavedQueryNotifier notifier;

    /** @param queryDb connections with {@link Queries#PLANNER} */
    public QueryModule(
            Platform platform,
            Db queryDb,
            Projects projects,
            SchemaCatalog catalog,
            AccessResolver accessResolver,
            Users users,
            PlannerHints hints) {
        this.platform = platform;
        var traits = new CallerTraits(users, platform.clock());
        queries = new Queries(
                new Queries.Sources(platform.db(), queryDb, users, platform.clock()),
                projects,
                catalog,
                accessResolver,
                hints,
                platform.cursors());
        var matcher = new ConditionMatcher(platform.db(), catalog, accessResolver, traits);
        saved = new SavedQueries(platform.db(), platform.ids(), projects, catalog, queries, matcher, traits);
        notifier = new SavedQueryNotifier(projects, catalog, matcher, traits, platform.events());
    }

    public Queries queries() {
        return queries;
    }

    public SavedQueries savedQueries() {
        return saved;
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new QueryRoutes(queries), new SavedQueryRoutes(saved, platform.idempotency(), platform.cursors()));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(new ChangeSweep(platform.db()).start());
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(SavedQueryNotifier.CONSUMER, notifier);
    }
}
