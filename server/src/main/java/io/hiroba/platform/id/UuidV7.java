package io.hiroba.platform.id;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;

/**
 * Generates UUIDs of version 7: milliseconds, a counter within the millisecond, and 62 random bits. Those of one generator
 * increase even when the clock goes back.
 */
public final class UuidV7 {

    private static final int COUNTER_BITS = 12;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** Milliseconds and counter of the latest one: when the counter is full it runs over into the milliseconds. */
    private long latest;

    public UuidV7(InstantSource clock) {
        this.clock = clock;
    }

    public UUID next() {
        long moment = moment();
        long high = (moment >>> COUNTER_BITS) << 16 | 0x7000 | (moment & ((1 << COUNTER_BITS) - 1));
        long low = random.nextLong() >>> 2 | Long.MIN_VALUE;
        return new UUID(high, low);
    }

    /** The smallest one of the time {@code millis}. */
    public static UUID lowestAt(long millis) {
        return new UUID(millis << 16 | 0x7000, Long.MIN_VALUE);
    }

    private synchronized long moment() {
        latest = Math.max(clock.millis() << COUNTER_BITS, latest + 1);
        return latest;
    }
}
