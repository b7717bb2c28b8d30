package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.engine.FaultInjector.Point;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Schedules the points at which nodes crash, and counts the crashes. */
final class CrashPoints {

    private static final int MAX_VISITS = 40;

    private final SplittableRandom random;
    private final Map<Point, Integer> crashes = new EnumMap<>(Point.class);
    private int starts;
    private boolean stopped;

    CrashPoints(SplittableRandom random) {
        this.random = random;
    }

    /** The crash points of the node that is started next. */
    synchronized String next() {
        if (stopped) {
            return "";
        }
        var missing = missing();
        var points = missing.isEmpty() ? List.of(Point.values()) : missing;
        var point = points.get(starts++ % points.size());
        // Nodes seldom free the sagas of others: until one has crashed there, all are scheduled to.
        return Stream.concat(
                        Stream.of(point + ":" + (point == Point.FREED ? 1 : random.nextInt(1, MAX_VISITS))),
                        missing.contains(Point.FREED) && point != Point.FREED ? Stream.of("FREED:1") : Stream.of())
                .reduce((one, other) -> one + "," + other)
                .orElse("");
    }

    /** Nodes started from now on do not crash. */
    synchronized void stop() {
        stopped = true;
    }

    synchronized void recordExit(int exitCode) {
        CrashInjector.point(exitCode).ifPresent(point -> crashes.merge(point, 1, Integer::sum));
    }

    /** The points at which no node has crashed yet. */
    synchronized List<Point> missing() {
        return Stream.of(Point.values())
                .filter(point -> !crashes.containsKey(point))
                .toList();
    }

    @Override
    public synchronized String toString() {
        return "crashed at " + crashes;
    }
}
