package io.hiroba.inbox.items;

import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Brings snoozed items back when their time has come. Each node has one. It knows the next of all items that is due
 * within a second and sleeps until then, otherwise for a second: so it also sees in time what another node has put off
 * for a moment only, and a clock that was set.
 */
public final class Waker {

    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final Duration BREATH = Duration.ofMillis(1);
    private static final int BATCH = 500;

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final WakeSignal snoozed;
    private final WakeStore store = new WakeStore();

    /** Looks again whenever {@code snoozed} is raised. */
    public Waker(Db db, InstantSource clock, ItemListener listener, WakeSignal snoozed) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
        this.snoozed = snoozed;
    }

    /** Works until it is closed. */
    public AutoCloseable start() {
        return WorkLoop.every(BREATH, "inbox-waker", this::turn);
    }

    private void turn() {
        long seen = snoozed.count();
        var sleep = LONGEST_SLEEP;
        try {
            sleep = next().map(this::until).orElse(LONGEST_SLEEP);
            if (sleep.isZero()) {
                // What stays due is in another's hands.
                sleep = wakeAll() == 0 ? Duration.ofMillis(20) : Duration.ZERO;
            }
        } finally {
            snoozed.await(seen, sleep);
        }
    }

    private Optional<Instant> next() {
        return db.read(reads -> store.next(reads, clock.instant().plus(LONGEST_SLEEP)));
    }

    private Duration until(Instant due) {
        var left = Duration.between(clock.instant(), due);
        return left.isNegative() ? Duration.ZERO : left.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : left;
    }

    /** Brings back all that are due, and answers how many. */
    long wakeAll() {
        long woken = 0;
        int batch;
        do {
            batch = db.inTransaction(tx -> {
                var now = clock.instant();
                var due = store.due(tx, now, BATCH);
                var owners = Owned.byOwner(due);
                owners.forEach((owner, ids) -> store.wake(tx, owner, ids, now));
                if (!owners.isEmpty()) {
                    listener.changed(tx, owners.keySet());
                }
                return due.size();
            });
            woken += batch;
        } while (batch == BATCH);
        return woken;
    }
}
