package io.hiroba.inbox;

import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;

/** Deletes items long after they were done, in batches. What is saved stays. */
final class ItemRetention {

    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final Duration kept;
    private final ItemMaintenanceStore store = new ItemMaintenanceStore();

    ItemRetention(Db db, InstantSource clock, ItemListener listener, Duration kept) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.kept = kept;
    }

    /** Works until it is closed. */
    AutoCloseable start() {
        return WorkLoop.every(INTERVAL, "inbox-retention", this::sweep);
    }

    /** Takes all of them away, and answers how many. */
    int sweep() {
        return RetentionSweep.run(
                BATCH_SIZE,
                limit -> db.inTransaction(tx -> {
                    var old = store.old(tx, clock.instant().minus(kept), limit);
                    var owners = ItemMaintenanceStore.OwnedItem.byOwner(old);
                    owners.forEach((owner, ids) -> store.delete(tx, owner, ids));
                    if (!owners.isEmpty()) {
                        listener.changed(tx, owners.keySet());
                    }
                    return old.size();
                }));
    }
}
