package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.engine.FaultInjector.Point;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Schedules the points at which nodes crash, and counts the crashes. */
final class CrashPoints {

    private final SplittableRandom random;
    private final int maxVisits;
    private final Map<Point, Integer> crashes = new EnumMap<>(Point.class);
    private final Map<Point, Integer> scheduled = new EnumMap<>(Point.class);
    private boolean stopped;

    /** @param maxVisits a node crashes before it has been at its point so often */
    CrashPoints(SplittableRandom random, int maxVisits) {
        this.random = random;
        this.maxVisits = maxVisits;
    }

    /** The crash points of the node that is started next. */
    synchronized String next() {
        if (stopped) {
            return "";
        }
        var missing = missing();
        var point = Stream.of(Point.values())
                // Nodes seldom free the sagas of others: until one has crashed there, all are scheduled to.
                .filter(each -> missing.isEmpty() || (missing.contains(each) && each != Point.FREED))
                .min(Comparator.comparingInt(each -> scheduled.getOrDefault(each, 0)))
                .orElse(Point.FREED);
        scheduled.merge(point, 1, Integer::sum);
        return Stream.concat(
                        Stream.of(point + ":" + (point == Point.FREED ? 1 : random.nextInt(1, maxVisits))),
                        missing.contains(Point.FREED) && point != Point.FREED ? Stream.of("FREED:1") : Stream.of())
                .reduce((one, other) -> one + "," + other)
                .orElse("");
    }

    /** Nodes started from now on do not crash. */
    synchronized void stop() {
        stopped = true;
    }

    /** Returns whether the node crashed at a point, and was not killed. */
    synchronized boolean recordExit(int exitCode) {
        var point = CrashInjector.point(exitCode);
        point.ifPresent(each -> crashes.merge(each, 1, Integer::sum));
        return point.isPresent();
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
