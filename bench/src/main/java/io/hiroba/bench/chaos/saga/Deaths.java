package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.engine.FaultInjector.Point;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The points at which nodes are to die, and how many did. */
final class Deaths {

    private static final int LATEST = 40;

    private final SplittableRandom random;
    private final Map<Point, Integer> died = new EnumMap<>(Point.class);
    private int starts;
    private boolean over;

    Deaths(SplittableRandom random) {
        this.random = random;
    }

    /** Where the next node to be started dies. */
    synchronized String next() {
        if (over) {
            return "";
        }
        var missing = missing();
        var points = missing.isEmpty() ? List.of(Point.values()) : missing;
        var point = points.get(starts++ % points.size());
        // Nodes come seldom to free the sagas of others: until one has died there, all are about to.
        return Stream.concat(
                        Stream.of(point + ":" + (point == Point.FREED ? 1 : random.nextInt(1, LATEST))),
                        missing.contains(Point.FREED) && point != Point.FREED ? Stream.of("FREED:1") : Stream.of())
                .reduce((one, other) -> one + "," + other)
                .orElse("");
    }

    /** Those that are started from now on live. */
    synchronized void stop() {
        over = true;
    }

    synchronized void ended(int exitCode) {
        Fuse.point(exitCode).ifPresent(point -> died.merge(point, 1, Integer::sum));
    }

    /** The points that no node has died at yet. */
    synchronized List<Point> missing() {
        return Stream.of(Point.values())
                .filter(point -> !died.containsKey(point))
                .toList();
    }

    @Override
    public synchronized String toString() {
        return "died at " + died;
    }
}
