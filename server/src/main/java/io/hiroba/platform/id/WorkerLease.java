package io.hiroba.platform.id;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator.Grant;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases a worker number from the database and renews it, so that nodes need no configuration.
 *
 * <p>The database remembers up to which millisecond each holder may issue. A renewal succeeds only for the holder; a
 * node whose lease expired learns so at its next renewal, issues nothing past its old ceiling until then, and continues
 * with another number.
 */
public final class WorkerLease implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkerLease.class);

    private final Db db;
    private final InstantSource clock;
    private final Duration term;
    private final WorkerLeaseStore store = new WorkerLeaseStore();
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

    /** This node as the holder of a number, a new one each time it starts. */
    public UUID node() {
        return holder;
    }

    /** The nodes that hold a number, by it. */
    public List<Holder> holders() {
        return db.read(reads -> store.holders(reads, holder, term));
    }

    /**
     * A node that holds a number.
     *
     * @param sinceRenewal how long ago it renewed its lease
     * @param isLate whether it should have renewed it by now
     */
    public record Holder(int worker, boolean isThis, Duration sinceRenewal, boolean isLate) {}

    /** Called by the generator only, under its lock. */
    private Grant reaching(long untilMs) {
        long from = Math.max(untilMs, clock.millis());
        if (worker != null) {
            int held = worker;
            var renewed = db.inTransaction(tx -> store.renew(tx, held, holder, from, term));
            if (renewed.isPresent()) {
                return renewed.get();
            }
            log.warn("worker number {} went to another node; taking a new one", worker);
            worker = null;
            ids.revoke();
        }
        var grant = db.inTransaction(tx -> store.take(tx, holder, from, term)).orElseThrow(NoWorker::new);
        worker = grant.worker();
        return grant;
    }

    /** Releases the number. Its ceiling stays: another thread may still be issuing an id. */
    @Override
    public void close() {
        renewal.close();
        ids.revoke();
        db.useTransaction(tx -> store.release(tx, holder));
    }

    private static final class NoWorker extends Problem {
        private static final long serialVersionUID = 1L;

        NoWorker() {
            super(
                    Kind.UNAVAILABLE,
                    "id.no-worker",
                    Text.verbatim(
                            "All 256 worker numbers are leased: stop a node, or wait until the lease of a dead one ends."));
        }
    }
}
