package io.hiroba.platform.id;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Issues ids for this node, each larger than the one before.
 *
 * <p>Time and sequence are one counter of 56 bits that never goes back: when the clock does, the counter continues.
 * When the 4,096 ids of a millisecond are used up, callers wait for the next. Ids are bounded by the {@link Grant}; past its
 * ceiling another is requested.
 */
public final class IdGenerator {

    private static final int SEQUENCES = 1 << Ids.SEQUENCE_BITS;
    private static final long MAX_WAIT_MS = 1000;

    private final InstantSource clock;
    private final Grants grants;
    private final AtomicLong counter = new AtomicLong();
    private volatile @Nullable Grant grant;

    public IdGenerator(InstantSource clock, Grants grants) {
        this.clock = clock;
        this.grants = grants;
    }

    /** The right to issue the ids of one worker number, after {@code floorMs} and up to {@code ceilingMs}. */
    public record Grant(int worker, long floorMs, long ceilingMs) {}

    /** The source of grants. */
    @FunctionalInterface
    public interface Grants {
        /** A grant that reaches beyond {@code untilMs}, or an exception when there is none to be had. */
        Grant reaching(long untilMs);
    }

    public long next() {
        while (true) {
            long now = clock.millis();
            long previous = counter.get();
            long candidate = Math.max(now << Ids.SEQUENCE_BITS, previous + 1);
            long candidateMs = candidate >>> Ids.SEQUENCE_BITS;
            Grant current = grant;
            if (current == null || candidateMs > current.ceilingMs()) {
                renew(candidateMs);
                continue;
            }
            if (beginsTooEarly(candidateMs, previous >>> Ids.SEQUENCE_BITS, now)) {
                Thread.onSpinWait();
                continue;
            }
            if (counter.compareAndSet(previous, candidate)) {
                long sequence = candidate & (SEQUENCES - 1);
                // The grant may have been exchanged meanwhile; the counter only ever moves above the newer floor, so
                // a candidate drawn under the older grant is within the older grant's bounds.
                return candidateMs << Ids.TIME_SHIFT | (long) current.worker() << Ids.SEQUENCE_BITS | sequence;
            }
        }
    }

    /**
     * Whether the ids of a millisecond are used up and the next has not come. A clock that was set back by more than a
     * moment is not waited for: an hour's correction would be an hour's outage.
     */
    private static boolean beginsTooEarly(long candidateMs, long previousMs, long now) {
        return candidateMs > previousMs && candidateMs > now && candidateMs - now <= MAX_WAIT_MS;
    }

    private synchronized void renew(long untilMs) {
        Grant current = grant;
        if (current == null || untilMs > current.ceilingMs()) {
            accept(grants.reaching(untilMs));
        }
    }

    /** Renews the grant ahead of time, so that {@link #next} seldom has to wait for one. */
    synchronized void renewAhead() {
        accept(grants.reaching(clock.millis()));
    }

    /** Stops issuing until another grant is taken. */
    synchronized void revoke() {
        grant = null;
    }

    private void accept(Grant fresh) {
        long floor = (fresh.floorMs() << Ids.SEQUENCE_BITS) + SEQUENCES - 1;
        counter.accumulateAndGet(floor, Math::max);
        grant = fresh;
    }
}
