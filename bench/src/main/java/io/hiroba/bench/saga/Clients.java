package io.hiroba.bench.saga;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Clients each of which has one saga made after the other, and the times that it took. */
final class Clients {

    private final int clients;
    private final int sagas;
    private final List<long[]> times = new ArrayList<>();

    Clients(int clients, int sagas) {
        this.clients = clients;
        this.sagas = sagas;
    }

    /** Has {@code saga} make all of them, and answers how many a second were made. */
    double rate(IntConsumer saga) {
        var took = new long[sagas];
        var next = new AtomicInteger();
        long start = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int client = 0; client < clients; client++) {
                running.add(threads.submit(() -> {
                    for (int n = next.getAndIncrement(); n < sagas; n = next.getAndIncrement()) {
                        long began = System.nanoTime();
                        saga.accept(n);
                        took[n] = System.nanoTime() - began;
                    }
                }));
            }
            for (var each : running) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("the sagas failed", e);
        }
        times.add(took);
        return sagas / ((System.nanoTime() - start) / 1e9);
    }

    /** Adds lines with the times of all rounds but the first, which warmed up. */
    void print(String work, String contestant) {
        var all = times.subList(1, times.size()).stream()
                .flatMapToLong(Arrays::stream)
                .sorted()
                .toArray();
        for (int percent : new int[] {50, 99}) {
            System.out.printf(
                    "| %s, from start to end, p%d | %s | %.1f ms | |%n",
                    work, percent, contestant, all[(int) ((long) all.length * percent / 100)] / 1e6);
        }
    }
}
