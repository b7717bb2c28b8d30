package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A circuit breaker of a provider on one node. Open: the provider is unavailable and not called until a pause is over.
 * Half open: one probe shows whether it is back; if not, the next pause is twice as long.
 */
final class ProviderBreaker {

    private static final Duration RATE_LIMIT_BACKOFF = Duration.ofSeconds(10);
    private static final int MAX_DOUBLINGS = 4;

    private final Duration first;
    private final Duration max;
    private final LongSupplier nanos;
    private Optional<Fault> fault = Optional.empty();
    private Duration nextPause;
    private long until;
    private int limits;

    ProviderBreaker(Duration first, Duration max, LongSupplier nanos) {
        this.first = first;
        this.max = max;
        this.nanos = nanos;
        this.nextPause = first;
        this.until = nanos.getAsLong();
    }

    /** A state of the breaker. */
    enum State {
        CLOSED,
        HALF_OPEN,
        OPEN
    }

    synchronized State state() {
        if (fault.isEmpty()) {
            return State.CLOSED;
        }
        return pause().isZero() ? State.HALF_OPEN : State.OPEN;
    }

    /** How long the provider must not be called: it is unavailable, or rate limits its callers. */
    synchronized Duration pause() {
        return Duration.ofNanos(Math.max(0, until - nanos.getAsLong()));
    }

    /** The fault that opened the breaker. */
    synchronized Optional<Fault> fault() {
        return fault;
    }

    /** The provider is unavailable. False if that was known. */
    synchronized boolean open(Fault cause) {
        boolean isNew = fault.isEmpty();
        if (isNew) {
            nextPause = first;
            until = nanos.getAsLong() + nextPause.toNanos();
        }
        fault = Optional.of(cause);
        return isNew;
    }

    /** The provider is still unavailable. */
    synchronized void failedAgain(Fault cause) {
        fault = Optional.of(cause);
        nextPause = nextPause.multipliedBy(2).compareTo(max) > 0 ? max : nextPause.multipliedBy(2);
        until = nanos.getAsLong() + nextPause.toNanos();
    }

    /** The provider is back. */
    synchronized void close() {
        fault = Optional.empty();
        until = nanos.getAsLong();
    }

    /** The provider answered: perhaps a call from before it became unavailable. */
    synchronized void succeeded() {
        limits = 0;
    }

    /** The provider rate limits its callers. Returns how long it will not be called. */
    synchronized Duration rateLimited(Optional<Duration> retryAfter) {
        boolean isNew = pause().isZero();
        var wait =
                retryAfter.filter(Duration::isPositive).orElseGet(() -> RATE_LIMIT_BACKOFF.multipliedBy(1L << limits));
        if (isNew) {
            limits = Math.min(limits + 1, MAX_DOUBLINGS);
        }
        until = Math.max(until, nanos.getAsLong() + wait.toNanos());
        return pause();
    }
}
