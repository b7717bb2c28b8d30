package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease that shows that this node is alive. A node that says nothing for {@link #LEASE_DURATION} is taken for dead,
 * and its sagas go to others; if it comes back it goes on under another number, and what it still has in hand it cannot
 * write.
 */
final class NodeLease implements AutoCloseable {

    static final Duration LEASE_DURATION = Duration.ofSeconds(6);
    private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(NodeLease.class);

    private final Db db;
    private final IdGenerator ids;
    private final NodeStore store = new NodeStore();
    private @Nullable WorkLoop renewal;
    private volatile long node;
    private volatile long endsAt;

    NodeLease(Db db, IdGenerator ids) {
        this.db = db;
        this.ids = ids;
    }

    void open() {
        take();
        renewal = WorkLoop.every(RENEWAL_INTERVAL, "saga lease", this::renew);
    }

    /** The number under which this node has sagas now. */
    long node() {
        return node;
    }

    /** Whether others cannot have taken this node for dead yet since it goes by {@code number}. */
    boolean holds(long number) {
        return number == node && endsAt - System.nanoTime() > 0;
    }

    private void take() {
        long id = ids.next();
        long asked = System.nanoTime();
        db.useTransaction(tx -> store.insert(tx, id, LEASE_DURATION));
        // In this order: the old number must not seem to hold with the new one's time.
        node = id;
        endsAt = asked + LEASE_DURATION.toNanos();
    }

    private void renew() {
        long asked = System.nanoTime();
        if (db.inTransaction(tx -> store.renew(tx, node, LEASE_DURATION))) {
            endsAt = asked + LEASE_DURATION.toNanos();
        } else {
            log.warn("this node was taken for dead; it goes on under another number");
            take();
        }
    }

    void forgetDead() {
        db.useTransaction(store::deleteDead);
    }

    /** Gives the lease back: sagas that this node still owns go to others at once. */
    @Override
    public void close() {
        if (renewal == null) {
            return;
        }
        renewal.close();
        db.useTransaction(tx -> store.delete(tx, node));
    }
}
