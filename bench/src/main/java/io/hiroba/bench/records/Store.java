package io.hiroba.bench.records;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Revocations;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Secrets;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.records.Projects;
import io.hiroba.records.data.RecordEvents;
import io.hiroba.records.data.Records;
import io.hiroba.records.query.Queries;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schemas;
import io.hiroba.records.schema.Sights;
import io.hiroba.records.statistics.Statistics;
import io.hiroba.records.transfer.ChunkWriter;
import io.hiroba.records.transfer.ImportWorker;
import io.hiroba.records.transfer.Imports;
import io.hiroba.records.tuning.HotIndexes;
import io.hiroba.records.tuning.IndexBuilder;
import io.hiroba.records.tuning.Indexes;
import io.hiroba.records.tuning.Usage;
import java.time.Clock;
import java.time.Duration;

/** The records feature wired as a server wires it, with one user. */
final class Store implements AutoCloseable {

    private static final int WALKS = 8;

    final Db db;
    final Caller owner = new Caller(new UserId(1), false, new Caller.BySession(new SessionId(1)), null);
    final Projects projects;
    final Catalog catalog;
    final Schemas schemas;
    final Records records;
    final Queries queries;
    final Statistics statistics;
    final HotIndexes hotIndexes;
    final Indexes indexes;
    final Imports imports;

    private final Db walks;
    private final WorkerLease lease;
    private final Usage usage;
    private final IndexBuilder builder;
    private final ImportWorker importing;

    Store(BenchDatabase database) {
        db = database.db();
        walks = Db.open(database.config().withPoolSize(WALKS), Queries.PLANNER);
        var clock = Clock.systemUTC();
        lease = new WorkerLease(db, clock, Duration.ofSeconds(30));
        var events = new EventLog(new CommitSignal());
        var users = new Users(db, lease.ids(), clock, events, new AuditLog(db, lease.ids()), new Revocations());
        var sights = new Sights(users);
        projects = new Projects(db, lease.ids(), events);
        catalog = new Catalog(db);
        schemas = new Schemas(db, catalog);
        records = new Records(db, clock, catalog, sights, new RecordEvents(events));
        statistics = new Statistics(db);
        usage = new Usage(db, clock);
        hotIndexes = new HotIndexes(db);
        indexes = new Indexes(db, clock, catalog);
        builder = new IndexBuilder(db, clock, catalog, statistics);
        queries = new Queries(
                db,
                walks,
                projects,
                catalog,
                sights,
                new Queries.Hints(statistics, hotIndexes, usage),
                new Cursors(new Secrets(db)));
        imports = new Imports(db, lease.ids(), projects, catalog, schemas, sights);
        importing = new ImportWorker(db, users, projects, new ChunkWriter(catalog, sights, events, new UuidV7(clock)))
                .start();
    }

    /** The owner's account. */
    void createOwner() {
        Data.run(db, """
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
        walks.close();
    }
}
