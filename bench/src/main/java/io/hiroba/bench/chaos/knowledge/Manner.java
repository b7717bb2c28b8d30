package io.hiroba.bench.chaos.knowledge;

import java.util.List;
import java.util.SplittableRandom;

/** The behaviour of the service towards a call. */
enum Manner {
    GOOD,
    /** It takes its time, but not too long. */
    SLOW,
    /** It answers when nobody listens any more. */
    LATE,
    /** It says nothing. */
    HANGING,
    /** It breaks the connection. */
    BROKEN,
    FAILING,
    /** It has fewer vectors than there are texts. */
    LYING,
    /** It asks to be left alone for a moment. */
    LIMITED,
    /** It is not there for anybody. */
    AWAY,
    /** One of the texts is refused. */
    REFUSING,
    /** One of the texts is poison. */
    POISONED;

    private static final List<Manner> TROUBLES = List.of(LATE, HANGING, BROKEN, FAILING, LYING, LIMITED);
    private static final int TROUBLED = 20;
    private static final int SLOWED = 30;

    /** Whether the service makes vectors of what deserves some. */
    boolean isWilling() {
        return this == GOOD || this == SLOW;
    }

    /** Of a hundred calls twenty go wrong. */
    static Manner any(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < TROUBLED) {
            return TROUBLES.get(random.nextInt(TROUBLES.size()));
        }
        return dice < SLOWED ? SLOW : GOOD;
    }
}
