package io.hiroba.bench.chaos.saga;

import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/** The behaviour of the service towards a call. */
enum Manner {
    GOOD,
    /** It takes its time, but not too long. */
    SLOW,
    /** It does nothing and says so. */
    BUSY,
    /** It does nothing and breaks the connection. */
    DEAF,
    /** It does nothing and says nothing. */
    HANGING,
    /** It does it, and breaks the connection. */
    LOST,
    /** It does it, and says that it failed. */
    LYING,
    /** It does it, and answers when nobody listens any more. */
    LATE,
    /** It does it when nobody listens any more. */
    LATER,
    /** It does it, and is asked the same again when all may be over. */
    TWICE,
    /** It will never do it, and says so. */
    REFUSING;

    private static final int SURE_TO_UNDO = 3;
    private static final List<Manner> TROUBLES = List.copyOf(EnumSet.complementOf(EnumSet.of(GOOD, SLOW, REFUSING)));

    /** What the seed has in store for an attempt: the same each time it is made. */
    static Manner of(long seed, long number, int step, boolean execute, int attempt) {
        var forever = new SplittableRandom(mix(seed, number, step, execute ? 1 : 2));
        if (forever.nextInt(1000) < (execute ? 60 : 15)) {
            return REFUSING;
        }
        if (!execute && attempt >= SURE_TO_UNDO) {
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
        return TROUBLES.get(random.nextInt(TROUBLES.size()));
    }

    private static long mix(long... numbers) {
        long all = 17;
        for (long number : numbers) {
            all = new SplittableRandom(all * 31 + number).nextLong();
        }
        return all;
    }
}
