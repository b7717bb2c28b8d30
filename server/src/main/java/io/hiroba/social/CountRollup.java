package io.hiroba.social;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;

/**
 * Adds the pending differences of concurrent changes to their counters. Counts are exact without it; it keeps them cheap to
 * read.
 */
public final class CountRollup {

    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final int BATCH_SIZE = 500;

    private CountRollup() {}

    /** Runs until it is closed: a second after events, since whatever is counted is an event too. */
    public static WorkLoop start(Db db) {
        var store = new PostStore();
        var changed = new WakeSignal();
        db.onNotice(EventLog.APPENDED, partitions -> changed.raiseIn(DELAY));
        return WorkLoop.whenSignalled("count rollup", 1, changed, WorkLoop.FALLBACK_POLL, () -> rollUp(db, store));
    }

    private static boolean rollUp(Db db, PostStore store) {
        return db.inTransaction(tx -> store.rollUpCounts(tx, BATCH_SIZE)) >= BATCH_SIZE;
    }
}
