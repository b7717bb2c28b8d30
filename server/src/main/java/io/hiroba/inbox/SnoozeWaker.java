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
 * Wakes snoozed items when their time has come. Each node has one. It knows the next of all items that is due within a
 * second and sleeps until then, otherwise for a second: so it also sees in time what another node has put off for a
 * moment only, and a clock that was set.
 */
final class SnoozeWaker {

    private static final Duration MAX_SLEEP = Duration.ofSeconds(1);
    private static final Duration MIN_INTERVAL = Duration.ofMillis(1);
    private static final int BATCH_SIZE = 500;

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final WakeSignal snoozed;
    private final ItemMaintenanceStore store = new ItemMaintenanceStore();

    /** Looks again whenever {@code snoozed} is raised. */
    SnoozeWaker(Db db, InstantSource clock, ItemListener listener, WakeSignal snoozed) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.snoozed = snoozed;
    }

    /** Works until it is closed. */
    AutoCloseable start() {
        return WorkLoop.every(MIN_INTERVAL, "inbox-waker", this::turn);
    }

    private void turn() {
        long seen = snoozed.count();
        var sleep = MAX_SLEEP;
        try {
            sleep = next().map(this::until).orElse(MAX_SLEEP);
            if (sleep.isZero()) {
                // What stays due is in another's hands.
                sleep = wakeAll() == 0 ? Duration.ofMillis(20) : Duration.ZERO;
            }
        } finally {
            snoozed.await(seen, sleep);
        }
    }

    private Optional<Instant> next() {
        return db.read(reads -> store.next(reads, clock.instant().plus(MAX_SLEEP)));
    }

    private Duration until(Instant due) {
        var left = Duration.between(clock.instant(), due);
        return left.isNegative() ? Duration.ZERO : left.compareTo(MAX_SLEEP) > 0 ? MAX_SLEEP : left;
    }

    /** Brings back all that are due, and answers how many. */
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
