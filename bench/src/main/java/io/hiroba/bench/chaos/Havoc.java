package io.hiroba.bench.chaos;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Kills and freezes servers and ends their database connections, at random, and starts the dead again. */
public final class Havoc implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final Ground ground;
    private final List<Node> nodes;
    private final Tally tally;
    private final SplittableRandom random;
    private final int longestFreeze;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Worker worker;

    /** None is frozen for longer than {@code longestFreeze}. */
    public Havoc(Ground ground, List<Node> nodes, Tally tally, SplittableRandom random, Duration longestFreeze) {
        this.ground = ground;
        this.nodes = nodes;
        this.tally = tally;
        this.random = random;
        this.longestFreeze = (int) Math.max(300, longestFreeze.toMillis());
        this.worker = new Worker("havoc", this::rage);
    }

    private void rage() {
        // However short the run is, a server is killed in it.
        pause(500, 1500);
        kill(nodes.get(random.nextInt(nodes.size())));
        while (!pause(200, 2000)) {
            nodes.stream().filter(node -> !node.isAlive()).forEach(this::restart);
            strike();
        }
    }

    private void strike() {
        // Those that are just starting are hit too, but not so often that none ever gets to work.
        var targets = nodes.stream()
                .filter(node -> node.address().isPresent() || random.nextInt(8) == 0)
                .toList();
        if (targets.isEmpty()) {
            return;
        }
        var node = targets.get(random.nextInt(targets.size()));
        int dice = random.nextInt(100);
        if (dice < 65) {
            tally.backends.addAndGet(ground.endConnections(1 + random.nextInt(6)));
        } else if (dice < 85) {
            kill(node);
        } else {
            freeze(node);
        }
    }

    private void kill(Node node) {
        node.kill();
        tally.kills.incrementAndGet();
    }

    private void freeze(Node node) {
        node.freeze();
        tally.freezes.incrementAndGet();
        pause(200, longestFreeze);
        node.thaw();
    }

    private void restart(Node node) {
        node.start();
        tally.restarts.incrementAndGet();
    }

    /** True when it is over. */
    private boolean pause(int least, int most) {
        try {
            return over.await(random.nextInt(least, most), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Ends it and returns when all servers answer. */
    @Override
    public void close() {
        over.countDown();
        worker.join();
        awaitAll(nodes);
    }

    /** Starts whichever is not running until all answer. */
    public static void awaitAll(List<Node> nodes) {
        for (var node : nodes) {
            Patience.until(
                    TIMEOUT,
                    () -> {
                        node.start();
                        return node.address().isPresent();
                    },
                    () -> "a server does not start:\n" + node.lastWords());
        }
    }
}
