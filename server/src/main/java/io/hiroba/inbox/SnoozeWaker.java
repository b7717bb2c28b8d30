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
 * Wakes snoozed items when they are due, on every node. It sleeps until the next item is due, but for a second at most, so
 * that it notices short snoozes set on other nodes and changes of the clock.
 */
final class SnoozeWaker {

    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);
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
        return WorkLoop.every(MIN_INTERVAL, "inbox-waker", this::run);
    }

    private void run() {
        long seen = snoozed.count();
        var sleep = maxSleep;
        try {
            sleep = next().map(this::until).orElse(maxSleep);
            if (sleep.isZero()) {
                // Another node is waking the items that are still due.
                sleep = wakeAll() == 0 ? Duration.ofMillis(20) : Duration.ZERO;
            }
        } finally {
            snoozed.await(seen, sleep);
        }
    }

    private Optional<Instant> next() {
        return db.read(reads -> store.next(reads, clock.instant().plus(maxSleep)));
    }

    private Duration until(Instant due) {
        var left = Duration.between(clock.instant(), due);
        return left.isNegative() ? Duration.ZERO : left.compareTo(maxSleep) > 0 ? maxSleep : left;
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
