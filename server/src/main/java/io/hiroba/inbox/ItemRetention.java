package io.hiroba.inbox;

import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;

/** Deletes items some time after they were done, in batches, and what an undo could bring back after a day. Saved items stay. */
final class ItemRetention {

    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final int BATCH_SIZE = 500;
    private static final Duration UNDO_RETENTION = Duration.ofDays(1);

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final Duration retention;
    private final ItemMaintenanceStore store = new ItemMaintenanceStore();
    private final UndoStore undos = new UndoStore();

    ItemRetention(Db db, InstantSource clock, ItemListener listener, Duration retention) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.retention = retention;
    }

    AutoCloseable start() {
        return WorkLoop.every(INTERVAL, "inbox-retention", this::sweep);
    }

    /** Deletes all that are due; returns how many items. */
    int sweep() {
        RetentionSweep.run(limit ->
                db.inTransaction(tx -> undos.deleteBefore(tx, clock.instant().minus(UNDO_RETENTION), limit)));
        return RetentionSweep.run(
                BATCH_SIZE,
                limit -> db.inTransaction(tx -> {
                    var expired = store.expired(tx, clock.instant().minus(retention), limit);
                    var owners = ItemMaintenanceStore.OwnedItem.byOwner(expired);
                    owners.forEach((owner, ids) -> store.delete(tx, owner, ids));
                    if (!owners.isEmpty()) {
                        listener.changed(tx, owners.keySet());
                    }
                    return expired.size();
                }));
    }
}
