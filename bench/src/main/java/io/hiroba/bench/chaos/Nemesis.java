package io.hiroba.bench.chaos;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Injects faults, as the process of this name does in Jepsen: kills and freezes nodes, terminates their database
 * connections, at random, and restarts killed nodes.
 */
public final class Nemesis implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final ChaosDatabase database;
    private final List<NodeProcess> nodes;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final int maxFreeze;
    private final BooleanSupplier mayKill;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final WorkerThread worker;

    public Nemesis(
            ChaosDatabase database,
            List<NodeProcess> nodes,
            RunCounters counters,
            SplittableRandom random,
            Duration maxFreeze) {
        this(database, nodes, counters, random, maxFreeze, () -> true);
    }

    /** @param mayKill whether nodes are killed at random, after the first one */
    public Nemesis(
            ChaosDatabase database,
            List<NodeProcess> nodes,
            RunCounters counters,
            SplittableRandom random,
            Duration maxFreeze,
            BooleanSupplier mayKill) {
        this.database = database;
        this.nodes = nodes;
        this.counters = counters;
        this.random = random;
        this.maxFreeze = (int) Math.max(300, maxFreeze.toMillis());
        this.mayKill = mayKill;
        this.worker = new WorkerThread("nemesis", this::run);
    }

    private void run() {
        // Even the shortest run kills a server.
        pause(500, 1500);
        kill(nodes.get(random.nextInt(nodes.size())));
        while (!pause(200, 2000)) {
            nodes.stream().filter(node -> !node.isAlive()).forEach(this::restart);
            injectFault();
        }
    }

    private void injectFault() {
        // Starting nodes are targets too, but seldom enough to let them finish starting.
        var targets = nodes.stream()
                .filter(node -> node.address().isPresent() || random.nextInt(8) == 0)
                .toList();
        if (targets.isEmpty()) {
            return;
        }
        var node = targets.get(random.nextInt(targets.size()));
        int dice = random.nextInt(100);
        if (dice < 65) {
            counters.terminatedConnections.addAndGet(database.terminateConnections(1 + random.nextInt(6)));
        } else if (dice >= 85) {
            freeze(node);
        } else if (mayKill.getAsBoolean()) {
            kill(node);
        }
    }

    private void kill(NodeProcess node) {
        node.kill();
        counters.kills.incrementAndGet();
    }

    private void freeze(NodeProcess node) {
        node.freeze();
        counters.freezes.incrementAndGet();
        pause(200, maxFreeze);
        node.thaw();
    }

    private void restart(NodeProcess node) {
        node.start();
        counters.restarts.incrementAndGet();
    }

    /** Returns true when the nemesis was closed. */
    private boolean pause(int min, int max) {
        try {
            return stopped.await(random.nextInt(min, max), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Stops the faults and returns when all nodes are ready. */
    @Override
    public void close() {
        stopped.countDown();
        worker.join();
        awaitAll(nodes);
    }

    /** On a slow machine no node would be there if starting ones were killed again and again. */
    public static boolean areReady(List<NodeProcess> nodes) {
        return nodes.stream().allMatch(node -> node.address().isPresent());
    }

    /** Restarts nodes until all are ready. */
    public static void awaitAll(List<NodeProcess> nodes) {
        for (var node : nodes) {
            Await.until(
                    TIMEOUT,
                    () -> {
                        node.start();
                        return node.address().isPresent();
                    },
                    () -> "a server does not start:\n" + node.lastOutput());
        }
    }
}
