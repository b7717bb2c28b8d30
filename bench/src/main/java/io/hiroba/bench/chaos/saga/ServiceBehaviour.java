package io.hiroba.bench.chaos.saga;

import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/** A behaviour of the service towards a call. */
enum ServiceBehaviour {
    GOOD,
    /** Succeeds slowly, within the timeout. */
    SLOW,
    /** Fails without an effect. */
    BUSY,
    /** Drops the connection without an effect. */
    DEAF,
    /** Never answers, without an effect. */
    HANGING,
    /** Takes effect and drops the connection. */
    LOST,
    /** Takes effect and reports a failure. */
    LYING,
    /** Takes effect and answers after the timeout. */
    LATE,
    /** Takes effect after the timeout. */
    LATER,
    /** Takes effect and receives the same call again, perhaps after the saga has ended. */
    TWICE,
    /** Refuses the call for good. */
    REFUSING;

    private static final int MAX_COMPENSATION_FAULTS = 3;
    private static final List<ServiceBehaviour> FAULTS =
            List.copyOf(EnumSet.complementOf(EnumSet.of(GOOD, SLOW, REFUSING)));

    /** Chooses the behaviour of an attempt; the same seed gives the same choice. */
    static ServiceBehaviour of(long seed, long number, int step, boolean execute, int attempt) {
        var forever = new SplittableRandom(mix(seed, number, step, execute ? 1 : 2));
        if (forever.nextInt(1000) < (execute ? 60 : 15)) {
            return REFUSING;
        }
        if (!execute && attempt >= MAX_COMPENSATION_FAULTS) {
            return GOOD;
        }
        var random = new SplittableRandom(mix(seed, number, step, (execute ? 100 : 200) + attempt));
        int dice = random.nextInt(100);
        if (dice < 60) {
            return GOOD;
        }
        if (dice < 72) {
            return SLOW;
        }
        return FAULTS.get(random.nextInt(FAULTS.size()));
    }

    private static long mix(long... numbers) {
        long all = 17;
        for (long number : numbers) {
            all = new SplittableRandom(all * 31 + number).nextLong();
        }
        return all;
    }
}
