package io.hiroba.testkit;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Secrets;
import io.hiroba.records.Access;
import io.hiroba.records.query.Queries;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.statistics.Statistics;
import io.hiroba.records.tuning.HotIndexes;
import io.hiroba.records.tuning.Usage;
import java.time.Clock;

/** Questions to the records of {@link TestRecords}. */
public final class TestQueries implements AutoCloseable {

    public final Queries queries;
    public final Db walks;

    private final TestRecords records;
    private final Statistics statistics;
    private final Usage usage;

    public TestQueries(TestRecords records) {
        this.records = records;
        walks = Db.open(records.accounts.database.config().withPoolSize(4), Queries.PLANNER);
        statistics = new Statistics(records.db);
        usage = new Usage(records.db, Clock.systemUTC());
        queries = new Queries(
                records.db,
                walks,
                records.projects,
                records.catalog,
                records.sights,
                new Queries.Hints(statistics, new HotIndexes(records.db), usage),
                new Cursors(new Secrets(records.db)));
    }

    /** Has the statistics say how it is now. */
    public void refresh(Access access, String schema) {
        statistics.refresh(access.tables(), schema(access, schema));
    }

    public Schema schema(Access access, String name) {
        return records.catalog.known(access.tables(), name);
    }

    @Override
    public void close() {
        usage.close();
        statistics.close();
        walks.close();
    }
}
