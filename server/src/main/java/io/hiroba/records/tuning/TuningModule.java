package io.hiroba.records.tuning;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.Projects;
import io.hiroba.records.SchemaCatalog;
import java.util.List;

/** The composition of index tuning: statistics, usage counts and the indexes that follow from them. */
public final class TuningModule implements FeatureModule {

    private final Platform platform;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Statistics statistics;
    private final AttributeUsage usage;
    private final Indexes indexes;

    public TuningModule(Platform platform, Projects projects, SchemaCatalog catalog) {
        this.platform = platform;
        this.projects = projects;
        this.catalog = catalog;
        statistics = new Statistics(platform.db());
        usage = new AttributeUsage(platform.db(), platform.clock());
        indexes = new Indexes(platform.db(), platform.clock(), catalog);
    }

    /** The statistics, indexes and counters for the query planner. */
    public PlannerHints hints() {
        return new PlannerHints(statistics, new HotIndexes(platform.db()), usage);
    }

    public Indexes indexes() {
        return indexes;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new IndexRoutes(projects, indexes, platform.idempotency()));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(statistics.start());
        resources.add(usage.start());
        resources.add(new IndexBuilder(platform.db(), platform.clock(), catalog, statistics).start());
        resources.add(new AutoIndexer(platform.db(), platform.clock(), indexes, catalog).start());
    }
}
