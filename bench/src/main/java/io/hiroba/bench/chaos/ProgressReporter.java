package io.hiroba.bench.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Prints the progress of a run while it lasts. */
public final class ProgressReporter {

    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    private ProgressReporter() {}

    /** Blocks for {@code duration} and reports the remaining time and the progress every ten seconds. */
    public static void writeLine(Duration duration, Consumer<String> out, Supplier<String> happened) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, REPORT_EVERY.toNanos()));
            var rest = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            out.accept("· %d:%02d left: %s".formatted(rest.toMinutes(), rest.toSecondsPart(), happened.get()));
        }
    }
}
