package io.hiroba.bench.chaos.saga;

import io.hiroba.bench.chaos.Patience;
import io.hiroba.bench.chaos.Tally;
import io.hiroba.bench.chaos.Worker;
import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** People who start sagas, cancel some and have some undone at any moment, and send signals, often too early. */
final class Operators implements AutoCloseable {

    private static final int INTERVAL_MS = 60;
    private static final int RETRY_WINDOW_MS = 3000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<SagaNode> nodes;
    private final Tally tally;
    private final SplittableRandom random;
    private final Map<Long, Asked> all = new ConcurrentHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger planned = new AtomicInteger();
    private final Worker worker;

    Operators(List<SagaNode> nodes, Tally tally, SplittableRandom random) {
        this.nodes = nodes;
        this.tally = tally;
        this.random = random;
        this.worker = new Worker("operators", this::work);
    }

    /** By the saga's number. */
    Map<Long, Asked> all() {
        return all;
    }

    private void work() {
        try {
            for (long number = 1; !over.await(random.nextInt(INTERVAL_MS), TimeUnit.MILLISECONDS); number++) {
                var asked = new Asked(number, Shape.ALL.get(random.nextInt(Shape.ALL.size())));
                all.put(number, asked);
                var chance = random.split();
                background(() -> attend(asked, chance));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void background(Runnable act) {
        planned.incrementAndGet();
        Thread.startVirtualThread(() -> {
            try {
                act.run();
            } finally {
                planned.decrementAndGet();
            }
        });
    }

    private void attend(Asked asked, SplittableRandom chance) {
        var order = order().put("number", asked.number())
                .put("workflow", asked.shape().name());
        ask(asked, "start", order, chance);
        int dice = chance.nextInt(100);
        if (dice < 15) {
            later(asked, "cancel", chance.split());
        } else if (dice < 22) {
            later(asked, "compensate", chance.split());
        }
        for (var signal : asked.shape().signals()) {
            if (chance.nextInt(100) < 80) {
                later(asked, signal, chance.split());
            }
        }
    }

    private void later(Asked asked, String verb, SplittableRandom chance) {
        background(() -> {
            // Often at once, when most is about to happen.
            LockSupport.parkNanos(chance.nextInt(1, 1 + chance.nextInt(1, RETRY_WINDOW_MS)) * 1_000_000L);
            asked.id().ifPresent(id -> ask(asked, verb, order().put("id", id), chance));
        });
    }

    void ask(Asked asked, String verb, ObjectNode order, SplittableRandom chance) {
        var ready = nodes.stream().filter(SagaNode::isReady).toList();
        if (ready.isEmpty()) {
            return;
        }
        var reply = ready.get(chance.nextInt(ready.size())).ask(verb, order);
        asked.add(verb, reply);
        count(reply);
    }

    private void count(Reply reply) {
        (reply.isDone() ? tally.done : reply.isUnknown() ? tally.unknown : tally.refused).incrementAndGet();
    }

    static ObjectNode order() {
        return JsonMapper.shared().createObjectNode();
    }

    /** No more is started; returns when what was planned is done. */
    @Override
    public void close() {
        over.countDown();
        worker.join();
        Patience.until(TIMEOUT, () -> planned.get() == 0, () -> "somebody waits for an answer");
    }
}
