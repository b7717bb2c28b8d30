package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.Await;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.bench.chaos.WorkerThread;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Clients that start sagas, cancel and compensate some at random moments, and send signals, often too early. */
final class OperatorClients implements AutoCloseable {

    private static final int INTERVAL_MS = 60;

    /** The distance between the numbers of a saga and of its children. */
    private static final long CHILD_NUMBERS = 1_000_000;

    private static final int RETRY_WINDOW_MS = 3000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<SagaNode> nodes;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final Map<Long, SagaRequests> all = new ConcurrentHashMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger planned = new AtomicInteger();
    private final WorkerThread worker;

    OperatorClients(List<SagaNode> nodes, RunCounters counters, SplittableRandom random) {
        this.nodes = nodes;
        this.counters = counters;
        this.random = random;
        this.worker = new WorkerThread("operators", this::work);
    }

    /** The requests by saga number. */
    Map<Long, SagaRequests> all() {
        return all;
    }

    private void work() {
        try {
            for (long number = 1; !stopped.await(random.nextInt(INTERVAL_MS), TimeUnit.MILLISECONDS); number++) {
                var requests =
                        new SagaRequests(number, ChaosWorkflow.ALL.get(random.nextInt(ChaosWorkflow.ALL.size())));
                all.put(number, requests);
                var chance = random.split();
                background(() -> drive(requests, chance));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void background(Runnable request) {
        planned.incrementAndGet();
        Thread.startVirtualThread(() -> {
            try {
                request.run();
            } finally {
                planned.decrementAndGet();
            }
        });
    }

    private void drive(SagaRequests requests, SplittableRandom chance) {
        var command = command()
                .put("number", requests.number())
                .put("workflow", requests.workflow().name());
        var items = command.putArray("items");
        IntStream.rangeClosed(1, ChaosWorkflow.CHILDREN).forEach(n -> items.add(requests.number() + n * CHILD_NUMBERS));
        send(requests, "start", command, chance);
        int dice = chance.nextInt(100);
        if (dice < 15) {
            later(requests, "cancel", chance.split());
        } else if (dice < 22) {
            later(requests, "compensate", chance.split());
        }
        for (var signal : requests.workflow().signals()) {
            if (chance.nextInt(100) < 80) {
                later(requests, signal, chance.split());
            }
        }
    }

    private void later(SagaRequests requests, String verb, SplittableRandom chance) {
        background(() -> {
            // Mostly soon, when the saga is busiest.
            LockSupport.parkNanos(chance.nextInt(1, 1 + chance.nextInt(1, RETRY_WINDOW_MS)) * 1_000_000L);
            requests.id().ifPresent(id -> send(requests, verb, command().put("id", id), chance));
        });
    }

    void send(SagaRequests requests, String verb, ObjectNode command, SplittableRandom chance) {
        var ready = nodes.stream().filter(SagaNode::isReady).toList();
        if (ready.isEmpty()) {
            return;
        }
        var reply = ready.get(chance.nextInt(ready.size())).send(verb, command);
        requests.add(verb, reply);
        counters.count(reply.isDone(), reply.isUnknown());
    }

    static ObjectNode command() {
        return JsonMapper.shared().createObjectNode();
    }

    /** Stops starting sagas and returns when all planned requests are done. */
    @Override
    public void close() {
        stopped.countDown();
        worker.join();
        Await.until(TIMEOUT, () -> planned.get() == 0, () -> "requests are still waiting for replies");
    }
}
