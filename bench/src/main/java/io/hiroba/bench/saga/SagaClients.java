package io.hiroba.bench.saga;

import io.hiroba.bench.LoadClients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Runs sagas with concurrent clients and records their durations. */
final class SagaClients {

    private final int clients;
    private final int sagas;
    private final List<long[]> times = new ArrayList<>();

    SagaClients(int clients, int sagas) {
        this.clients = clients;
        this.sagas = sagas;
    }

    /** Runs all sagas and returns sagas per second. */
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
        LoadClients.count(sagas);
        return sagas / ((System.nanoTime() - start) / 1e9);
    }

    /** Prints percentiles of the durations of all rounds but the first, which is the warm-up. */
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
