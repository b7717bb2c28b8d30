package io.hiroba.bench.chaos;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Clients who all act at the same time, until closed. */
final class Crowd implements AutoCloseable {

    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Worker> clients;

    Crowd(int size, List<Node> nodes, Board board, Tally tally, SplittableRandom random) {
        clients = IntStream.range(0, size)
                .mapToObj(n -> new Client(nodes, board, tally, random.split(), over::get))
                .map(client -> new Worker("client", client))
                .toList();
    }

    /** Returns when the last request has been answered or given up. */
    @Override
    public void close() {
        over.set(true);
        clients.forEach(Worker::join);
    }
}
