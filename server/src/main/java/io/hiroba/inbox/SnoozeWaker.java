package io.hiroba.inbox;

import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Wakes snoozed items when they are due, on every node. It sleeps until the next item is due, but for half a minute at
 * most, so that it notices items snoozed on a node that died and changes of the clock.
 */
final class SnoozeWaker {

    private static final Duration RETRY = Duration.ofMillis(20);
    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final WakeSignal snoozed;
    private final Duration maxSleep;
    private final ItemMaintenanceStore store = new ItemMaintenanceStore();

    SnoozeWaker(Db db, InstantSource clock, ItemListener listener, WakeSignal snoozed) {
        this(db, clock, listener, snoozed, WorkLoop.FALLBACK_POLL);
    }

    /** @param maxSleep after which it looks again, for items that were snoozed on another node */
    SnoozeWaker(Db db, InstantSource clock, ItemListener listener, WakeSignal snoozed, Duration maxSleep) {
        this.maxSleep = maxSleep;
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.snoozed = snoozed;
    }

    AutoCloseable start() {
        return WorkLoop.whenSignalled("inbox-waker", 1, snoozed, maxSleep, this::run);
    }

    private boolean run() {
        var due = next();
        if (due.isEmpty()) {
            return false;
        }
        var left = Duration.between(clock.instant(), due.get());
        if (!left.isPositive() && wakeAll() > 0) {
            return true;
        }
        // What is due and was not woken is being woken by another node.
        snoozed.raiseIn(left.isPositive() ? left : RETRY);
        return false;
    }

    private Optional<Instant> next() {
        return db.read(reads -> store.next(reads, clock.instant().plus(maxSleep)));
    }

    /** Wakes all items that are due; returns how many. */
    long wakeAll() {
        long woken = 0;
        int batch;
        do {
            batch = db.inTransaction(tx -> {
                var now = clock.instant();
                var due = store.due(tx, now, BATCH_SIZE);
                var owners = ItemMaintenanceStore.OwnedItem.byOwner(due);
                owners.forEach((owner, ids) -> store.wake(tx, owner, ids, now));
                if (!owners.isEmpty()) {
                    listener.changed(tx, owners.keySet());
                }
                return due.size();
            });
            woken += batch;
        } while (batch == BATCH_SIZE);
        return woken;
    }
}
