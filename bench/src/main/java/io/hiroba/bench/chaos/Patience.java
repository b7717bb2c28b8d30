package io.hiroba.bench.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what must come. */
public final class Patience {

    private static final Duration STEP = Duration.ofMillis(50);

    private Patience() {}

    /** Returns when {@code condition} holds; fails with {@code complaint} when it has not for so long. */
    public static void until(Duration most, BooleanSupplier condition, Supplier<String> complaint) {
        long end = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(complaint.get());
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }
}
