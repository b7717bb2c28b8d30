package io.hiroba.inbox.items;

import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;

/** Takes items away that were done long ago, a few at a time. What is saved stays. */
public final class Retention {

    private static final Duration PAUSE = Duration.ofMinutes(10);
    private static final int BATCH = 500;

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final Duration kept;
    private final RetentionStore store = new RetentionStore();

    public Retention(Db db, InstantSource clock, ItemListener listener, Duration kept) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.kept = kept;
    }

    /** Works until it is closed. */
    public AutoCloseable start() {
        return WorkLoop.every(PAUSE, "inbox-retention", this::sweep);
    }

    /** Takes all of them away, and answers how many. */
    long sweep() {
        long gone = 0;
        int batch;
        do {
            batch = db.inTransaction(tx -> {
                var old = store.old(tx, clock.instant().minus(kept), BATCH);
                var owners = Owned.byOwner(old);
                owners.forEach((owner, ids) -> store.delete(tx, owner, ids));
                if (!owners.isEmpty()) {
                    listener.changed(tx, owners.keySet());
                }
                return old.size();
            });
            gone += batch;
        } while (batch == BATCH);
        return gone;
    }
}
