package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.SagaId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees sagas of dead nodes, and sagas that this node owns but no longer drives. */
final class Recovery implements AutoCloseable {

    /**
     * Between two rounds at most, and less than a lease lasts: so each lease is known before it ends, and there is a round
     * when it does.
     */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    /** A lease that ended just now is seen as such. */
    private static final Duration MARGIN = Duration.ofMillis(50);

    private static final int BATCH_SIZE = 500;
    private static final Duration OWNED_CHECK_INTERVAL = Duration.ofSeconds(4);
    private static final int CHECKS_PER_NODE_CLEANUP = 12;
    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final Db db;
    private final ClaimStore store;
    private final NodeStore nodes = new NodeStore();
    private final NodeLease lease;
    private final WakeSignal wakeSignal;
    private final FaultInjector faults;
    private final Predicate<SagaId> driven;
    private Map<SagaId, Integer> unknown = Map.of();
    private final Queue<Lost> abandoned = new ConcurrentLinkedQueue<>();
    private final WakeSignal due = new WakeSignal();
    private @Nullable WorkLoop rounds;
    private int checks;
    private long lastCheck = System.nanoTime() - OWNED_CHECK_INTERVAL.toNanos();

    private record Lost(SagaId id, int fence) {}

    private record Round(int freed, Map<SagaId, Integer> owned) {}

    /** @param driven whether this node drives a saga */
    Recovery(
            Db db,
            ClaimStore store,
            NodeLease lease,
            WakeSignal wakeSignal,
            FaultInjector faults,
            Predicate<SagaId> driven) {
        this.db = db;
        this.store = store;
        this.lease = lease;
        this.wakeSignal = wakeSignal;
        this.faults = faults;
        this.driven = driven;
    }

    void open() {
        rounds = WorkLoop.whenSignalled("saga recovery", 1, due, INTERVAL, () -> {
            free();
            return false;
        });
    }

    /** Frees a saga whose state this node no longer knows, so that it is claimed again, here or elsewhere. */
    void abandon(SagaId id, int fence) {
        abandoned.add(new Lost(id, fence));
        due.raise();
    }

    private void free() {
        boolean checksOwned = System.nanoTime() - lastCheck >= OWNED_CHECK_INTERVAL.toNanos();
        long node = lease.node();
        boolean more = true;
        while (more) {
            var round = db.inTransaction(tx -> {
                nodes.untilNextEnd(tx, node).ifPresent(left -> due.raiseIn(left.plus(MARGIN)));
                int freed = store.freeOrphans(tx, BATCH_SIZE);
                return new Round(freed, checksOwned ? store.owned(tx, node) : Map.of());
            });
            if (round.freed() > 0) {
                faults.at(FaultInjector.Point.FREED);
                wakeSignal.raise();
            }
            more = round.freed() == BATCH_SIZE;
            if (!more && checksOwned) {
                lastCheck = System.nanoTime();
                abandonUnknown(round.owned());
            }
        }
        freeAbandoned();
        if (checksOwned && checks++ % CHECKS_PER_NODE_CLEANUP == 0) {
            lease.deleteDeadNodes();
        }
    }

    /**
     * Frees sagas that this node owns in the database but does not drive: the outcome of the transaction that claimed or
     * started them was lost. A saga that is just being claimed is driven by the next check.
     */
    private void abandonUnknown(Map<SagaId, Integer> owned) {
        var found = new HashMap<>(owned);
        found.keySet().removeIf(driven);
        found.forEach((id, fence) -> {
            if (fence.equals(unknown.get(id))) {
                log.warn("saga {} is owned by this node but not driven; it is freed", id);
                abandon(id, fence);
            }
        });
        unknown = found;
    }

    private void freeAbandoned() {
        for (var lost = abandoned.peek(); lost != null; lost = abandoned.peek()) {
            var each = lost;
            db.useTransaction(tx -> store.free(tx, each.id(), each.fence()));
            abandoned.remove(each);
            wakeSignal.raise();
        }
    }

    @Override
    public void close() {
        if (rounds != null) {
            rounds.close();
        }
    }
}
