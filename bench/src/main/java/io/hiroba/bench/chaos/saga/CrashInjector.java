package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.engine.FaultInjector;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Halts this process, as {@code kill -9} does, at the n-th visit of a point in the engine. */
final class CrashInjector implements FaultInjector {

    private static final int CODE = 100;
    private static final List<Point> POINTS = List.of(Point.values());

    private final Map<Point, AtomicInteger> left = new EnumMap<>(Point.class);

    /** @param visits such as {@code FREED:1,CLAIMED:7}; empty for no crash */
    CrashInjector(String visits) {
        for (var each : visits.split(",", -1)) {
            if (!each.isEmpty()) {
                var steps = each.split(":", -1);
                left.put(Point.valueOf(steps[0]), new AtomicInteger(Integer.parseInt(steps[1])));
            }
        }
    }

    @Override
    public void at(Point point) {
        var remaining = left.get(point);
        if (remaining != null && remaining.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(CODE + POINTS.indexOf(point));
        }
    }

    /** The point at which a process crashed, by its exit code. */
    static Optional<Point> point(int exitCode) {
        return POINTS.stream()
                .filter(point -> exitCode == CODE + POINTS.indexOf(point))
                .findFirst();
    }
}
