package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Takes away the items of those who have lost access to a namespace and have not come back in time. What they may see
 * through another membership, above it or further down, stays.
 */
public final class AccessLoss {

    private static final int AT_ONCE = 500;
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Db db;
    private final InstantSource clock;
    private final ItemListener listener;
    private final AccessLossStore store = new AccessLossStore();

    public AccessLoss(Db db, InstantSource clock, ItemListener listener) {
        this.db = db;
        this.clock = clock;
        this.listener = listener;
    }

    public AutoCloseable background() {
        return WorkLoop.every(PAUSE, "inbox access", this::run);
    }

    /** Does all that is due, a bounded part in each transaction; who has left is held locked, so that each is one node's. */
    public void run() {
        while (db.inTransaction(this::some)) {}
    }

    /** Whether there was something to do. */
    private boolean some(Tx tx) {
        var due = store.lockDue(tx, clock.instant());
        due.ifPresent(leaver -> {
            store.dropWaiting(tx, leaver, clock.instant());
            int gone = leaver.user().map(user -> takeItems(tx, leaver, user)).orElse(0);
            if (gone < AT_ONCE) {
                store.settle(tx, leaver);
            }
        });
        return due.isPresent();
    }

    private int takeItems(Tx tx, Leaver leaver, UserId user) {
        int gone = store.dropItems(tx, leaver, clock.instant(), AT_ONCE);
        if (gone > 0) {
            listener.changed(tx, List.of(user));
        }
        return gone;
    }
}
