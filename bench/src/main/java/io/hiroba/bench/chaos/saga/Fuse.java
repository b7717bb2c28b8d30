package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.engine.FaultInjector;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Ends this process, as {@code kill -9} does, when the engine has come to a point so many times. */
final class Fuse implements FaultInjector {

    private static final int CODE = 100;
    private static final List<Point> POINTS = List.of(Point.values());

    private final Map<Point, AtomicInteger> left = new EnumMap<>(Point.class);

    /** @param times such as {@code FREED:1,CLAIMED:7}; nothing for a process that is to live */
    Fuse(String times) {
        for (var each : times.split(",", -1)) {
            if (!each.isEmpty()) {
                var parts = each.split(":", -1);
                left.put(Point.valueOf(parts[0]), new AtomicInteger(Integer.parseInt(parts[1])));
            }
        }
    }

    @Override
    public void at(Point point) {
        var times = left.get(point);
        if (times != null && times.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(CODE + POINTS.indexOf(point));
        }
    }

    /** Which point a process died at, by its exit code. */
    static Optional<Point> point(int exitCode) {
        return POINTS.stream()
                .filter(point -> exitCode == CODE + POINTS.indexOf(point))
                .findFirst();
    }
}
