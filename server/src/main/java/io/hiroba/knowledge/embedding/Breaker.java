package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Whether a provider may be asked, as one node sees it. Open: it is away, and nobody asks until a pause is over. Half
 * open: the pause is over, and one question shows whether it is back; if it is not, the next pause is twice as long.
 */
final class Breaker {

    private static final Duration LIMITED = Duration.ofSeconds(10);
    private static final int MOST_DOUBLINGS = 4;

    private final Duration first;
    private final Duration longest;
    private final LongSupplier nanos;
    private Optional<Fault> why = Optional.empty();
    private Duration pause;
    private long until;
    private int limits;

    Breaker(Duration first, Duration longest, LongSupplier nanos) {
        this.first = first;
        this.longest = longest;
        this.nanos = nanos;
        this.pause = first;
        this.until = nanos.getAsLong();
    }

    /** Whether a provider is asked. */
    enum State {
        CLOSED,
        HALF_OPEN,
        OPEN
    }

    synchronized State state() {
        if (why.isEmpty()) {
            return State.CLOSED;
        }
        return rest().isZero() ? State.HALF_OPEN : State.OPEN;
    }

    /** How long nobody may ask, be it that the provider is away or that it asked for it. */
    synchronized Duration rest() {
        return Duration.ofNanos(Math.max(0, until - nanos.getAsLong()));
    }

    /** What is the matter with the provider, if anything is. */
    synchronized Optional<Fault> why() {
        return why;
    }

    /** The provider is away. False if that was known. */
    synchronized boolean open(Fault fault) {
        boolean news = why.isEmpty();
        if (news) {
            pause = first;
            until = nanos.getAsLong() + pause.toNanos();
        }
        why = Optional.of(fault);
        return news;
    }

    /** The provider is still away. */
    synchronized void failedAgain(Fault fault) {
        why = Optional.of(fault);
        pause = pause.multipliedBy(2).compareTo(longest) > 0 ? longest : pause.multipliedBy(2);
        until = nanos.getAsLong() + pause.toNanos();
    }

    /** The provider is back. */
    synchronized void close() {
        why = Optional.empty();
        until = nanos.getAsLong();
    }

    /** The provider has answered: perhaps a question from before it went away. */
    synchronized void answered() {
        limits = 0;
    }

    /** The provider asks to be left alone, perhaps saying for how long. The answer is how long it will be. */
    synchronized Duration limited(Optional<Duration> asked) {
        boolean news = rest().isZero();
        var wait = asked.filter(Duration::isPositive).orElseGet(() -> LIMITED.multipliedBy(1L << limits));
        if (news) {
            limits = Math.min(limits + 1, MOST_DOUBLINGS);
        }
        until = Math.max(until, nanos.getAsLong() + wait.toNanos());
        return rest();
    }
}
