package io.hiroba.records.query;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deletes notes of changes that no cached answer needs: those of transactions that had ended when the sweep ran before. An
 * answer that is younger than that has seen them. Every node sweeps; two at once delete the same.
 */
final class ChangeSweep implements AutoCloseable {

    static final Duration INTERVAL = AnswerCache.MAX_AGE.multipliedBy(2);

    private final Db db;
    private final QueryStore store = new QueryStore();
    private @Nullable String horizon;
    private @Nullable WorkLoop loop;

    ChangeSweep(Db db) {
        this.db = db;
    }

    /** Starts to sweep. */
    ChangeSweep start() {
        loop = WorkLoop.every(INTERVAL, "records changes", this::sweep);
        return this;
    }

    void sweep() {
        var ended = horizon;
        if (ended != null) {
            db.useTransaction(tx -> store.sweepChanges(tx, ended));
        }
        horizon = db.read(store::horizon);
    }

    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }
}
