package io.hiroba.bench.chaos;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Clients who all act at the same time, until closed. */
public final class Crowd implements AutoCloseable {

    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Worker> clients;

    /** @param client makes one of them, who asks whether it is over */
    public Crowd(int size, Function<BooleanSupplier, Runnable> client) {
        clients = IntStream.range(0, size)
                .mapToObj(n -> client.apply(over::get))
                .map(one -> new Worker("client", one))
                .toList();
    }

    /** Returns when the last request has been answered or given up. */
    @Override
    public void close() {
        over.set(true);
        clients.forEach(Worker::join);
    }
}
