package io.hiroba.bench.social;

import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Callers who do the same thing again and again at the same time. */
final class Clients {

    private static final double SECONDS = 2;

    private Clients() {}

    /** How often in a second all {@code clients} together get {@code work} done; it is handed a number that grows. */
    static double rate(int clients, LongConsumer work) {
        var done = new AtomicLong();
        long start = System.nanoTime();
        long end = start + (long) (SECONDS * 1e9);
        try (var threads = Executors.newFixedThreadPool(clients)) {
            for (int client = 0; client < clients; client++) {
                threads.execute(() -> {
                    while (System.nanoTime() < end) {
                        work.accept(done.getAndIncrement());
                    }
                });
            }
        }
        return done.get() / ((System.nanoTime() - start) / 1e9);
    }
}
