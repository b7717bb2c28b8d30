package io.hiroba.social;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;

/**
 * Adds the pending differences of concurrent changes to their counters. Counts are exact without it; it keeps them cheap to
 * read.
 */
public final class CountRollup {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int BATCH_SIZE = 500;

    private CountRollup() {}

    /** Runs until it is closed. */
    public static WorkLoop start(Db db) {
        var store = new PostStore();
        return WorkLoop.every(INTERVAL, "count rollup", () -> rollUp(db, store));
    }

    private static void rollUp(Db db, PostStore store) {
        int added;
        do {
            added = db.inTransaction(tx -> store.rollUpCounts(tx, BATCH_SIZE));
        } while (added >= BATCH_SIZE);
    }
}
