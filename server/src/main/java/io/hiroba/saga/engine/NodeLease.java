package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease that shows that this node is alive. A node that does not renew it for {@link #LEASE_DURATION} counts as dead, and
 * others take its sagas; if it comes back it continues under another number and can no longer write those sagas.
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
        acquire();
        renewal = WorkLoop.every(RENEWAL_INTERVAL, "saga lease", this::renew);
    }

    /** The number under which this node owns sagas now. */
    long node() {
        return node;
    }

    /** Whether the lease under {@code number} has not expired. */
    boolean holds(long number) {
        return number == node && endsAt - System.nanoTime() > 0;
    }

    private void acquire() {
        long id = ids.next();
        long requestedAt = System.nanoTime();
        db.useTransaction(tx -> store.insert(tx, id, LEASE_DURATION));
        // In this order: the old number must not seem valid with the new expiry.
        node = id;
        endsAt = requestedAt + LEASE_DURATION.toNanos();
    }

    private void renew() {
        long requestedAt = System.nanoTime();
        if (db.inTransaction(tx -> store.renew(tx, node, LEASE_DURATION))) {
            endsAt = requestedAt + LEASE_DURATION.toNanos();
        } else {
            log.warn("the lease of this node expired; it continues under another number");
            acquire();
        }
    }

    void deleteDeadNodes() {
        db.useTransaction(store::deleteDead);
    }

    /** Releases the lease: other nodes take the sagas that this node still owns. */
    @Override
    public void close() {
        if (renewal == null) {
            return;
        }
        renewal.close();
        db.useTransaction(tx -> store.delete(tx, node));
    }
}
