package io.hiroba.platform.id;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.IdGenerator.Grant;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases a worker number from the database and keeps it, so that nodes need no configuration.
 *
 * <p>The database remembers up to which millisecond each holder may issue. A renewal succeeds only for the holder; a
 * node that was taken for dead finds that out at its next renewal, can issue nothing past its old ceiling until then,
 * and starts over with another number.
 */
public final class WorkerLease implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkerLease.class);

    private final Db db;
    private final InstantSource clock;
    private final Duration term;
    private final UUID holder = UUID.randomUUID();
    private final IdGenerator ids;
    private final WorkLoop renewal;
    private @Nullable Integer worker;

    /**
     * Takes a number in the background; the first id waits for it.
     *
     * @param db connections of the lease's own: ids are drawn within transactions, and a renewal that waits for the pool
     *     they hold would never come
     */
    public WorkerLease(Db db, InstantSource clock, Duration term) {
        this.db = db;
        this.clock = clock;
        this.term = term;
        this.ids = new IdGenerator(clock, this::reaching);
        this.renewal = WorkLoop.every(term.dividedBy(3), "id worker lease", ids::renewAhead);
    }

    public IdGenerator ids() {
        return ids;
    }

    /** Called by the generator only, under its lock. */
    private Grant reaching(long untilMs) {
        long from = Math.max(untilMs, clock.millis());
        if (worker != null) {
            var renewed = renew(worker, from);
            if (renewed.isPresent()) {
                return renewed.get();
            }
            log.warn("worker number {} went to another node; taking a new one", worker);
            worker = null;
            ids.revoke();
        }
        var grant = take(from).orElseThrow(NoWorker::new);
        worker = grant.worker();
        return grant;
    }

    private Optional<Grant> renew(int held, long from) {
        return db.inTransaction(tx -> tx.query("""
                UPDATE platform.id_workers
                SET ceiling_ms = greatest(ceiling_ms, :from + :term), expires_at = now() + :term * interval '1 ms'
                WHERE worker = :worker AND holder = :holder
                RETURNING worker, ceiling_ms
                """)
                .bind("worker", held)
                .bind("holder", holder)
                .bind("from", from)
                .bind("term", term.toMillis())
                .map(row -> new Grant(row.getInt("worker"), 0, row.getLong("ceiling_ms")))
                .findOne());
    }

    /** Takes the free number that was used longest ago: its past ids are the least likely to be ahead of our clock. */
    private Optional<Grant> take(long from) {
        return db.inTransaction(tx -> tx.query("""
                WITH free AS (
                    SELECT worker, ceiling_ms FROM platform.id_workers
                    WHERE expires_at < now()
                    ORDER BY ceiling_ms, worker
                    LIMIT 1
                    FOR UPDATE SKIP LOCKED)
                UPDATE platform.id_workers AS w
                SET holder = :holder,
                    ceiling_ms = greatest(free.ceiling_ms, :from) + :term,
                    expires_at = now() + :term * interval '1 ms'
                FROM free
                WHERE w.worker = free.worker
                RETURNING w.worker, free.ceiling_ms AS floor_ms, w.ceiling_ms
                """)
                .bind("holder", holder)
                .bind("from", from)
                .bind("term", term.toMillis())
                .map(row -> new Grant(row.getInt("worker"), row.getLong("floor_ms"), row.getLong("ceiling_ms")))
                .findOne());
    }

    /** Gives the number back. Its ceiling stays: an id may be under way in another thread. */
    @Override
    public void close() {
        renewal.close();
        ids.revoke();
        db.useTransaction(tx -> tx.update("""
                UPDATE platform.id_workers
                SET holder = NULL, expires_at = '-infinity'
                WHERE holder = :holder
                """).bind("holder", holder).execute());
    }

    private static final class NoWorker extends Problem {
        private static final long serialVersionUID = 1L;

        NoWorker() {
            super(
                    Kind.UNAVAILABLE,
                    "id.no-worker",
                    "All 256 worker numbers are leased: stop a node, or wait until the lease of a dead one ends.");
        }
    }
}
