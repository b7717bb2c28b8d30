package io.hiroba.records.tuning;

import io.hiroba.records.ProjectAccess;
import io.hiroba.testkit.TestRecords;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Indexes on the documents of {@link TestRecords}, for tests of other packages. */
public final class TestIndexes {

    private TestIndexes() {}

    /** Makes indexes, each on an attribute or on two whose names are given with a space between them. */
    public static void make(TestRecords test, ProjectAccess owner, String schema, String... attributes) {
        var indexes = new Indexes(test.db, Clock.systemUTC(), test.catalog);
        var store = new HotIndexStore();
        try (var statistics = new Statistics(test.db).start()) {
            for (var each : attributes) {
                var index = test.db.inTransaction(tx -> indexes.create(tx, owner, schema, List.of(each.split(" "))));
                try (var _ = new IndexBuilder(test.db, Clock.systemUTC(), test.catalog, statistics).start()) {
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> test.db
                                            .read(reads -> store.find(
                                                    reads, index.tables().project(), index.name()))
                                            .orElseThrow()
                                            .state()
                                    == IndexState.READY);
                }
            }
        }
    }
}
