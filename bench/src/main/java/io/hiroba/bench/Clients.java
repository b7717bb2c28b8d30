package io.hiroba.bench;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Callers who do the same thing again and again at the same time. */
public final class Clients {

    private static final double SECONDS = 2;

    private Clients() {}

    /** How often in a second all {@code clients} together get {@code work} done; it is handed a number that grows. */
    public static double rate(int clients, LongConsumer work) {
        return rate(clients, SECONDS, work);
    }

    /** As above, for so many seconds; whoever has begun something ends it. */
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
        return done.get() / ((System.nanoTime() - start) / 1e9);
    }
}
