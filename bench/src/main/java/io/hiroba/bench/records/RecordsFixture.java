package io.hiroba.bench.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordEvents;
import io.hiroba.records.Records;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.Queries;
import io.hiroba.records.transfer.ImportChunkWriter;
import io.hiroba.records.transfer.ImportPreviewer;
import io.hiroba.records.transfer.ImportWorker;
import io.hiroba.records.transfer.Imports;
import io.hiroba.records.transfer.MemberNames;
import io.hiroba.records.tuning.AttributeUsage;
import io.hiroba.records.tuning.HotIndexes;
import io.hiroba.records.tuning.IndexBuilder;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.tuning.PlannerHints;
import io.hiroba.records.tuning.Statistics;
import java.time.Clock;
import java.time.Duration;

/** The records feature composed as in a server, with one user. */
final class RecordsFixture implements AutoCloseable {

    private static final int QUERY_CONNECTIONS = 8;

    final Db db;
    final Caller owner = new Caller(new UserId(1), false, new Caller.BySession(new SessionId(1)), null);
    final Projects projects;
    final SchemaCatalog catalog;
    final Schemas schemas;
    final Records records;
    final Queries queries;
    final Statistics statistics;
    final HotIndexes hotIndexes;
    final Indexes indexes;
    final Imports imports;

    private final Db queryDb;
    private final WorkerLease lease;
    private final AttributeUsage usage;
    private final IndexBuilder builder;
    private final ImportWorker importing;

    RecordsFixture(BenchDatabase database) {
        db = database.db();
        queryDb = Db.open(database.config().withPoolSize(QUERY_CONNECTIONS), Queries.PLANNER);
        var clock = Clock.systemUTC();
        lease = new WorkerLease(db, clock, Duration.ofSeconds(30));
        var events = new EventLog();
        var users = new Users(db, lease.ids(), clock, events);
        var accessResolver = new AccessResolver(users);
        projects = new Projects(db, lease.ids(), events);
        catalog = new SchemaCatalog(db);
        schemas = new Schemas(db, catalog);
        records = new Records(db, clock, catalog, accessResolver, new RecordEvents(events));
        statistics = new Statistics(db).start();
        usage = new AttributeUsage(db, clock).start();
        hotIndexes = new HotIndexes(db);
        indexes = new Indexes(db, clock, catalog);
        builder = new IndexBuilder(db, clock, catalog, statistics).start();
        queries = new Queries(
                new Queries.Sources(db, queryDb, users, clock),
                projects,
                catalog,
                accessResolver,
                new PlannerHints(statistics, hotIndexes, usage),
                new Cursors(new SecretStore(db)));
        var started = new WakeSignal();
        var members = new MemberNames(projects, users);
        var previews = new ImportPreviewer(db, catalog, accessResolver, members);
        imports = new Imports(db, lease.ids(), projects, catalog, schemas, previews, started);
        importing = new ImportWorker(
                        db,
                        users,
                        projects,
                        new ImportChunkWriter(
                                catalog,
                                accessResolver,
                                events,
                                new UuidV7(clock),
                                new OptionChanges(db, clock, catalog, new RecordEvents(events)),
                                members),
                        started)
                .start();
    }

    /** Inserts the owner's account. */
    void createOwner() {
        RecordsData.run(db, """
            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
            VALUES (1, 'bench@example.org', 'bench', 'x', false, '[]');
            INSERT INTO accounts.user_details (user_id, introduction) VALUES (1, '');
            """);
    }

    @Override
    public void close() {
        importing.close();
        builder.close();
        usage.close();
        statistics.close();
        lease.close();
        queryDb.close();
    }
}
