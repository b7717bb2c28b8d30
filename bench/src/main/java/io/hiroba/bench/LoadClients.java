package io.hiroba.bench;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Measures the throughput of concurrent clients. */
public final class LoadClients {

    private static final double SECONDS = 2;
    private static final AtomicLong TOTAL = new AtomicLong();

    private LoadClients() {}

    /** Adds operations that a benchmark has measured by itself, for the processor time of each. */
    public static void count(long operations) {
        TOTAL.addAndGet(operations);
    }

    /** The operations of all measurements so far. */
    static long operations() {
        return TOTAL.get();
    }

    /** The operations per second of all {@code clients}; {@code work} receives an increasing number. */
    public static double rate(int clients, LongConsumer work) {
        return rate(clients, SECONDS, work);
    }

    /** The same, measured for {@code seconds}; operations that have begun are completed. */
    public static double rate(int clients, double seconds, LongConsumer work) {
        var next = new AtomicLong();
        var done = new AtomicLong();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        try (var threads = Executors.newFixedThreadPool(clients)) {
            var running = IntStream.range(0, clients)
                    .mapToObj(client -> threads.submit(() -> {
                        while (System.nanoTime() < end) {
                            work.accept(next.getAndIncrement());
                            done.incrementAndGet();
                        }
                    }))
                    .toList();
            for (var each : running) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("the work failed", e);
        }
        count(done.get());
        return done.get() / ((System.nanoTime() - start) / 1e9);
    }
}
