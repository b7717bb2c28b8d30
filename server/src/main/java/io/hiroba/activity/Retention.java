package io.hiroba.activity;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.ToIntFunction;

/**
 * Removes cards past their time, and what is kept of posts that somebody does not follow any more, on every node: in
 * batches that hold no lock for long, each past what others are writing.
 */
public final class Retention {

    static final int BATCH = 1000;

    private static final Duration PAUSE = Duration.ofHours(1);

    private final Db db;
    private final InstantSource clock;
    private final Duration kept;
    private final RetentionStore store = new RetentionStore();

    public Retention(Db db, InstantSource clock, Duration kept) {
        this.db = db;
        this.clock = clock;
        this.kept = kept;
    }

    public WorkLoop start() {
        return WorkLoop.every(PAUSE, "cards past their time", this::sweep);
    }

    void sweep() {
        var before = clock.instant().minus(kept);
        do {
            // The acts first: a card that goes with a hundred thousand of them would be one long statement.
            untilFew(tx -> store.deleteActs(tx, before, BATCH));
        } while (some(tx -> store.deleteCards(tx, before, BATCH)));
        untilFew(tx -> store.deleteDropped(tx, before, BATCH));
    }

    private void untilFew(ToIntFunction<Tx> deletion) {
        while (some(deletion)) {
            // There may be more.
        }
    }

    private boolean some(ToIntFunction<Tx> deletion) {
        return db.inTransaction(deletion::applyAsInt) == BATCH;
    }
}
