package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Deletes the items of members who have lost access to a namespace, after a grace period. Items that another membership,
 * in an ancestor or a descendant, gives access to stay.
 */
final class AccessRevocation {

    private static final int BATCH_SIZE = 500;
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final AccessRevocationStore store = new AccessRevocationStore();

    AccessRevocation(Db db, InstantSource clock, ItemListener listener) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
    }

    AutoCloseable start() {
        return WorkLoop.every(INTERVAL, "inbox access", this::run);
    }

    /** Each transaction is bounded and locks one lost membership, so that nodes share the work. */
    void run() {
        while (db.inTransaction(this::revokeNext)) {}
    }

    /** Returns whether something was due. */
    private boolean revokeNext(Tx tx) {
        var due = store.lockDue(tx, clock.instant());
        due.ifPresent(lost -> {
            store.deletePending(tx, lost, clock.instant());
            int deleted = lost.user().map(user -> deleteItems(tx, lost, user)).orElse(0);
            if (deleted < BATCH_SIZE) {
                store.complete(tx, lost);
            }
        });
        return due.isPresent();
    }

    private int deleteItems(Tx tx, AccessRevocationStore.LostMembership lost, UserId user) {
        int deleted = store.deleteItems(tx, lost, clock.instant(), BATCH_SIZE);
        if (deleted > 0) {
            listener.changed(tx, List.of(user));
        }
        return deleted;
    }
}
