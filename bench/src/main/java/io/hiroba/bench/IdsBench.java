package io.hiroba.bench;

import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.IdGenerator.Grant;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;

/** The benchmark of id generation on one node. The limit is that of the layout: 4,096 a millisecond. */
final class IdsBench {

    private static final Duration SPAN = Duration.ofSeconds(1);
    private static final double LIMIT = 4_096_000;

    private IdsBench() {}

    static void run() {
        new InterleavedBenchmark("ids of one node", "ids/s")
                .with("4,096 a millisecond", () -> LIMIT)
                .with("one thread", () -> rate(1))
                .with("two threads", () -> rate(2))
                .with("eight threads", () -> rate(8))
                .run();
    }

    private static double rate(int threads) {
        var ids = new IdGenerator(Clock.systemUTC(), until -> new Grant(1, 0, Long.MAX_VALUE >>> 20));
        var counts = new long[threads];
        var running = new ArrayList<Thread>();
        long start = System.nanoTime();
        for (int t = 0; t < threads; t++) {
            int slot = t;
            running.add(Thread.ofPlatform().start(() -> counts[slot] = draw(ids, start + SPAN.toNanos())));
        }
        long drawn = 0;
        for (int t = 0; t < threads; t++) {
            join(running.get(t));
            drawn += counts[t];
        }
        return drawn / ((System.nanoTime() - start) / 1e9);
    }

    private static long draw(IdGenerator ids, long until) {
        long count = 0;
        while (System.nanoTime() < until) {
            for (int i = 0; i < 256; i++) {
                ids.next();
            }
            count += 256;
        }
        return count;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
