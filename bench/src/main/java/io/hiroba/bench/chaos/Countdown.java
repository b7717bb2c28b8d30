package io.hiroba.bench.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Time that passes while others are at work. */
public final class Countdown {

    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    private Countdown() {}

    /** Returns after {@code duration}, and says now and then what is left of it and what has happened. */
    public static void tell(Duration duration, Consumer<String> out, Supplier<String> happened) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, REPORT_EVERY.toNanos()));
            var rest = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            out.accept("· %d:%02d left: %s".formatted(rest.toMinutes(), rest.toSecondsPart(), happened.get()));
        }
    }
}
