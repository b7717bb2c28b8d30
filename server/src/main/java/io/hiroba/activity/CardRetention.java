package io.hiroba.activity;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The retention sweep of cards and of rows about posts that are no longer followed. Every node runs it, in batches that skip
 * locked rows.
 */
final class CardRetention {

    static final int BATCH_SIZE = 1000;

    private static final Duration INTERVAL = Duration.ofHours(1);

    private final Db db;
    private final InstantSource clock;
    private final Duration retention;
    private final CardRetentionStore store = new CardRetentionStore();

    CardRetention(Db db, InstantSource clock, Duration retention) {
        this.db = db;
        this.clock = clock;
        this.retention = retention;
    }

    WorkLoop start() {
        return WorkLoop.every(INTERVAL, "expired cards", this::sweep);
    }

    void sweep() {
        var before = clock.instant().minus(retention);
        do {
            // The acts first: to delete a card with a hundred thousand of them would be one long statement.
            deleteAll(store::deleteActs, before);
        } while (db.inTransaction(tx -> store.deleteCards(tx, before, BATCH_SIZE)) == BATCH_SIZE);
        deleteAll(store::deleteUnfollowed, before);
    }

    private interface Deletion {
        int run(Tx tx, Instant before, int limit);
    }

    private void deleteAll(Deletion deletion, Instant before) {
        RetentionSweep.run(BATCH_SIZE, limit -> db.inTransaction(tx -> deletion.run(tx, before, limit)));
    }
}
