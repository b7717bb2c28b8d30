package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.saga.SagaId;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Frees sagas of dead nodes, and sagas that this node owns but no longer drives. */
final class Recovery implements AutoCloseable {

    static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int BATCH_SIZE = 500;
    private static final int ROUNDS_PER_OWNED_CHECK = 4;
    private static final int ROUNDS_PER_NODE_CLEANUP = 60;
    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final Db db;
    private final ClaimStore store;
    private final NodeLease lease;
    private final WakeSignal wakeSignal;
    private final FaultInjector faults;
    private final Predicate<SagaId> driven;
    private Map<SagaId, Integer> unknown = Map.of();
    private final Queue<Lost> abandoned = new ConcurrentLinkedQueue<>();
    private @Nullable WorkLoop rounds;
    private int round;

    private record Lost(SagaId id, int fence) {}

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
        rounds = WorkLoop.every(INTERVAL, "saga recovery", this::free);
    }

    /** Frees a saga whose state this node no longer knows, so that it is claimed again, here or elsewhere. */
    void abandon(SagaId id, int fence) {
        abandoned.add(new Lost(id, fence));
    }

    private void free() {
        int freed;
        do {
            freed = db.inTransaction(tx -> store.freeOrphans(tx, BATCH_SIZE));
            if (freed > 0) {
                faults.at(FaultInjector.Point.FREED);
                wakeSignal.raise();
            }
        } while (freed == BATCH_SIZE);
        freeAbandoned();
        if (round % ROUNDS_PER_OWNED_CHECK == 0) {
            abandonUnknown();
        }
        if (round++ % ROUNDS_PER_NODE_CLEANUP == 0) {
            lease.deleteDeadNodes();
        }
    }

    /**
     * Frees sagas that this node owns in the database but does not drive: the outcome of the transaction that claimed or
     * started them was lost. A saga that is just being claimed is driven by the next check.
     */
    private void abandonUnknown() {
        long node = lease.node();
        var found = db.read(reads -> store.owned(reads, node));
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
