package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.ProjectRoutes;
import io.hiroba.records.Projects;
import io.hiroba.records.data.BatchRoutes;
import io.hiroba.records.data.History;
import io.hiroba.records.data.HistoryRoutes;
import io.hiroba.records.data.RecordEvents;
import io.hiroba.records.data.RecordRoutes;
import io.hiroba.records.data.Records;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryRoutes;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.SchemaRoutes;
import io.hiroba.records.schema.Schemas;
import io.hiroba.records.schema.Sights;
import io.hiroba.records.statistics.Statistics;
import io.hiroba.records.tuning.HotIndexes;
import io.hiroba.records.tuning.IndexBuilder;
import io.hiroba.records.tuning.IndexCare;
import io.hiroba.records.tuning.IndexRoutes;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.tuning.Usage;
import java.util.List;

/** The records feature, wired. */
final class RecordsWiring {

    /** Connections that compiled queries share on a node: more of them would only wait for the processors. */
    static final int WALKS = 8;

    final Projects projects;
    final Catalog catalog;
    final Sights sights;
    final Schemas schemas;
    final Records records;
    final History history;
    final Queries queries;
    final Indexes indexes;

    private final Platform platform;
    private final Statistics statistics;
    private final Usage usage;

    /** @param walks connections with {@link Queries#PLANNER} */
    RecordsWiring(Platform platform, Db walks, Users users) {
        this.platform = platform;
        var db = platform.db();
        projects = new Projects(db, platform.ids(), platform.events());
        catalog = new Catalog(db);
        schemas = new Schemas(db, catalog);
        sights = new Sights(users);
        var events = new RecordEvents(platform.events());
        records = new Records(db, platform.clock(), catalog, sights, events);
        history = new History(db, catalog, sights, records, events);
        statistics = new Statistics(db);
        usage = new Usage(db, platform.clock());
        indexes = new Indexes(db, platform.clock(), catalog);
        queries = new Queries(
                db,
                walks,
                projects,
                catalog,
                sights,
                new Queries.Hints(statistics, new HotIndexes(db), usage),
                platform.cursors());
    }

    /** What runs in the background, each to be closed. */
    List<AutoCloseable> background() {
        return List.of(
                statistics,
                usage,
                new IndexBuilder(platform.db(), platform.clock(), catalog, statistics),
                new IndexCare(platform.db(), platform.clock(), indexes, catalog));
    }

    List<Routes> routes() {
        return List.of(
                new ProjectRoutes(projects, platform.idempotency(), platform.cursors()),
                new SchemaRoutes(projects, schemas, platform.idempotency(), platform.cursors()),
                new RecordRoutes(projects, records, platform.idempotency()),
                new BatchRoutes(projects, records),
                new HistoryRoutes(projects, history, platform.cursors()),
                new QueryRoutes(queries),
                new IndexRoutes(projects, indexes, platform.idempotency()));
    }
}
