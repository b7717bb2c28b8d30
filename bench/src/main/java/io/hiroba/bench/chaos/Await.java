package io.hiroba.bench.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Polls for conditions. */
public final class Await {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private Await() {}

    /** Returns when {@code condition} holds; fails with {@code message} after the timeout. */
    public static void until(Duration timeout, BooleanSupplier condition, Supplier<String> message) {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(message.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
