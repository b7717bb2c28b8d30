package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's claim to be alive. A node that says nothing for {@link #TERM} is taken for dead, and its sagas go to others;
 * if it comes back it goes on under another number, and what it still has in hand it cannot write.
 */
final class NodeLease implements AutoCloseable {

    static final Duration TERM = Duration.ofSeconds(6);
    private static final Duration RENEWAL = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(NodeLease.class);

    private final Db db;
    private final IdGenerator ids;
    private @Nullable WorkLoop renewal;
    private volatile long node;
    private volatile long endsAt;

    NodeLease(Db db, IdGenerator ids) {
        this.db = db;
        this.ids = ids;
    }

    void open() {
        take();
        renewal = WorkLoop.every(RENEWAL, "saga lease", this::renew);
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
        db.useTransaction(tx ->
                tx.update("""
                INSERT INTO saga.nodes (id, lease_until) VALUES (:id, now() + :term * interval '1 ms')
                """).bind("id", id).bind("term", TERM.toMillis()).execute());
        // In this order: the old number must not seem to hold with the new one's time.
        node = id;
        endsAt = asked + TERM.toNanos();
    }

    private void renew() {
        long asked = System.nanoTime();
        int renewed = db.inTransaction(tx ->
                tx.update("""
                UPDATE saga.nodes SET lease_until = now() + :term * interval '1 ms'
                WHERE id = :id AND lease_until > clock_timestamp()
                """).bind("id", node).bind("term", TERM.toMillis()).execute());
        if (renewed == 1) {
            endsAt = asked + TERM.toNanos();
        } else {
            log.warn("this node was taken for dead; it goes on under another number");
            take();
        }
    }

    /** Forgets nodes that are long dead and have no saga any more. */
    void forgetDead() {
        db.useTransaction(tx -> tx.update("""
                DELETE FROM saga.nodes AS n
                WHERE lease_until < now() - interval '1 minute'
                  AND NOT EXISTS (SELECT FROM saga.saga_states AS s WHERE s.owner = n.id)
                """).execute());
    }

    /** Gives the lease back: what this node still has goes to others at once. */
    @Override
    public void close() {
        if (renewal == null) {
            return;
        }
        renewal.close();
        db.useTransaction(tx -> tx.update("DELETE FROM saga.nodes WHERE id = :id")
                .bind("id", node)
                .execute());
    }
}
