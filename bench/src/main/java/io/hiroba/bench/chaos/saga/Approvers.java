package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.ChaosDatabase;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.bench.chaos.WorkerThread;
import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * People who approve and reject what sagas ask them for: at random moments, on any node, sometimes twice at once with opposite
 * answers, and sometimes not before the deadline.
 */
final class Approvers implements AutoCloseable {

    private static final int INTERVAL_MS = 150;
    private static final int MAX_A_ROUND = 50;

    private final ChaosDatabase database;
    private final List<SagaNode> nodes;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final Queue<Decision> decisions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final WorkerThread worker;

    /** A decision that was sent, with the reply. */
    record Decision(long approval, long user, boolean approve, Reply reply) {}

    private record Open(long approval, long user) {}

    Approvers(ChaosDatabase database, List<SagaNode> nodes, RunCounters counters, SplittableRandom random) {
        this.database = database;
        this.nodes = nodes;
        this.counters = counters;
        this.random = random;
        this.worker = new WorkerThread("approvers", this::work);
    }

    List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    private void work() {
        try {
            while (!stopped.await(random.nextInt(1, INTERVAL_MS), TimeUnit.MILLISECONDS)) {
                for (var each : open()) {
                    int dice = random.nextInt(100);
                    if (dice < 12) {
                        decide(each, random.nextInt(100) < 75, random.split());
                    }
                    if (dice < 2) {
                        decide(each, random.nextBoolean(), random.split());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Approves everything that is still open. */
    void approveAll() {
        open().forEach(each -> decide(each, true, random.split()));
    }

    private List<Open> open() {
        try (var handle = database.open()) {
            return handle.createQuery("""
                            SELECT a.id, s.user_id FROM saga.approvals AS a
                            JOIN saga.approval_assignees AS s ON s.approval_id = a.id
                            WHERE a.state = 'open'
                              AND NOT EXISTS (SELECT FROM saga.approval_decisions AS d
                                              WHERE d.approval_id = a.id AND d.user_id = s.user_id)
                            ORDER BY random()
                            LIMIT :max
                            """)
                    .bind("max", MAX_A_ROUND)
                    .map((row, ctx) -> new Open(row.getLong("id"), row.getLong("user_id")))
                    .list();
        }
    }

    private void decide(Open open, boolean approve, SplittableRandom chance) {
        var ready = nodes.stream().filter(SagaNode::isReady).toList();
        if (ready.isEmpty()) {
            return;
        }
        underWay.incrementAndGet();
        var command = OperatorClients.command()
                .put("approval", open.approval())
                .put("user", open.user())
                .put("approve", approve);
        Thread.startVirtualThread(() -> {
            try {
                var reply = ready.get(chance.nextInt(ready.size())).send("decide", command);
                decisions.add(new Decision(open.approval(), open.user(), approve, reply));
                counters.count(reply.isDone(), reply.isUnknown());
            } finally {
                underWay.decrementAndGet();
            }
        });
    }

    /** Whether a reply is still waited for. */
    boolean isBusy() {
        return underWay.get() > 0;
    }

    /** Stops deciding by itself. */
    @Override
    public void close() {
        stopped.countDown();
        worker.join();
    }
}
