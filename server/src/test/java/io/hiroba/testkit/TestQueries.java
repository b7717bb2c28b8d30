package io.hiroba.testkit;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Schema;
import io.hiroba.records.query.Queries;
import io.hiroba.records.tuning.AttributeUsage;
import io.hiroba.records.tuning.HotIndexes;
import io.hiroba.records.tuning.PlannerHints;
import io.hiroba.records.tuning.Statistics;
import java.time.Clock;

/** Queries on the records of {@link TestRecords}. */
public final class TestQueries implements AutoCloseable {

    public final Queries queries;
    public final Db queryDb;

    private final TestRecords records;
    private final Statistics statistics;
    private final AttributeUsage usage;

    public TestQueries(TestRecords records) {
        this.records = records;
        queryDb = Db.open(records.accounts.database.config().withPoolSize(4), Queries.PLANNER);
        statistics = new Statistics(records.db).start();
        usage = new AttributeUsage(records.db, Clock.systemUTC()).start();
        queries = new Queries(
                new Queries.Sources(records.db, queryDb, records.accounts.users, records.accounts.clock),
                records.projects,
                records.catalog,
                records.accessResolver,
                new PlannerHints(statistics, new HotIndexes(records.db), usage),
                new Cursors(new SecretStore(records.db)));
    }

    /** Has the statistics say how it is now. */
    public void refresh(ProjectAccess access, String schema) {
        statistics.refresh(access.tables(), schema(access, schema));
    }

    public Schema schema(ProjectAccess access, String name) {
        return records.catalog.cached(access.tables(), name);
    }

    @Override
    public void close() {
        usage.close();
        statistics.close();
        queryDb.close();
    }
}
