package io.hiroba.saga.workflow;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The retry policy of a step.
 *
 * @param maxAttempts the first one included
 * @param jitter the part of the delay, from 0 to 1, by which it is shortened at random, so that many do not come at once
 */
public record RetryPolicy(
        int maxAttempts, Backoff backoff, Duration initialInterval, Duration maxInterval, double jitter) {

    public static final RetryPolicy DEFAULT =
            new RetryPolicy(3, Backoff.EXPONENTIAL, Duration.ofSeconds(1), Duration.ofMinutes(1), 0);

    private static final int MAX_DOUBLINGS = 40;

    /** The growth of the delay. */
    public enum Backoff {
        EXPONENTIAL,
        FIXED,
        NONE
    }

    /** The delay after attempt {@code attempt} of a round, which is 1 for the first. */
    public Duration delayAfter(int attempt, RandomGenerator random) {
        var delay = switch (backoff) {
            case NONE -> Duration.ZERO;
            case FIXED -> initialInterval;
            case EXPONENTIAL -> initialInterval.multipliedBy(1L << Math.min(attempt - 1, MAX_DOUBLINGS - bits()));
        };
        var bounded = delay.compareTo(maxInterval) > 0 ? maxInterval : delay;
        return jitter == 0
                ? bounded
                : Duration.ofNanos((long) (bounded.toNanos() * (1 - jitter * random.nextDouble())));
    }

    /** Keeps the doubled interval within a long of milliseconds. */
    private int bits() {
        return Math.min(MAX_DOUBLINGS, 64 - Long.numberOfLeadingZeros(initialInterval.toMillis()));
    }
}
