package io.hiroba.bench.chaos;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Runs clients concurrently until closed. */
public final class ClientThreads implements AutoCloseable {

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<WorkerThread> clients;

    /** @param client creates a client; the argument tells it when to stop */
    public ClientThreads(int size, Function<BooleanSupplier, Runnable> client) {
        clients = IntStream.range(0, size)
                .mapToObj(n -> client.apply(stopped::get))
                .map(one -> new WorkerThread("client", one))
                .toList();
    }

    /** Returns when the last request was answered or timed out. */
    @Override
    public void close() {
        stopped.set(true);
        clients.forEach(WorkerThread::join);
    }
}
