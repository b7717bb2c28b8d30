package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
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

/** Frees sagas of dead nodes, and those that this node lost track of. */
final class Recovery implements AutoCloseable {

    static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int BATCH_SIZE = 500;
    private static final int ROUNDS_PER_OWN_CHECK = 4;
    private static final int ROUNDS_PER_NODE_CLEANUP = 60;
    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final Db db;
    private final ClaimStore store;
    private final NodeLease lease;
    private final WakeTimer timer;
    private final FaultInjector faults;
    private final Predicate<SagaId> inHand;
    private Map<SagaId, Integer> unknown = Map.of();
    private final Queue<Lost> abandoned = new ConcurrentLinkedQueue<>();
    private @Nullable WorkLoop rounds;
    private int round;

    private record Lost(SagaId id, int fence) {}

    /** @param inHand whether this node works on a saga */
    Recovery(
            Db db, ClaimStore store, NodeLease lease, WakeTimer timer, FaultInjector faults, Predicate<SagaId> inHand) {
        this.db = db;
        this.store = store;
        this.lease = lease;
        this.timer = timer;
        this.faults = faults;
        this.inHand = inHand;
    }

    void open() {
        rounds = WorkLoop.every(INTERVAL, "saga recovery", this::free);
    }

    /** This node no longer knows where the saga stands: it is read anew, here or elsewhere. */
    void abandon(SagaId id, int fence) {
        abandoned.add(new Lost(id, fence));
    }

    private void free() {
        int freed;
        do {
            freed = db.inTransaction(tx -> store.freeOrphans(tx, BATCH_SIZE));
            if (freed > 0) {
                faults.at(FaultInjector.Point.FREED);
                timer.wake();
            }
        } while (freed == BATCH_SIZE);
        freeAbandoned();
        if (round % ROUNDS_PER_OWN_CHECK == 0) {
            abandonUnknown();
        }
        if (round++ % ROUNDS_PER_NODE_CLEANUP == 0) {
            lease.forgetDead();
        }
    }

    /**
     * Gives up sagas that are this node's by the database and of which it knows nothing: they were taken or started by a
     * transaction whose outcome got lost. One that is just being claimed is known by the next check.
     */
    private void abandonUnknown() {
        long node = lease.node();
        var found = db.read(reads -> store.owned(reads, node));
        found.keySet().removeIf(inHand);
        found.forEach((id, fence) -> {
            if (fence.equals(unknown.get(id))) {
                log.warn("saga {} is owned by this node, which does not know it; it is freed", id);
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
            timer.wake();
        }
    }

    @Override
    public void close() {
        if (rounds != null) {
            rounds.close();
        }
    }
}
