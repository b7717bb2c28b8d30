package io.hiroba.bench.chaos.knowledge;

import java.util.List;
import java.util.SplittableRandom;

/** A behaviour of the embedding service towards a call. */
enum EmbeddingBehaviour {
    GOOD,
    /** Succeeds slowly, within the timeout. */
    SLOW,
    /** Answers after the timeout. */
    LATE,
    /** Never answers. */
    HANGING,
    /** Drops the connection. */
    BROKEN,
    FAILING,
    /** Returns fewer vectors than texts. */
    LYING,
    /** Answers 429 with Retry-After. */
    LIMITED,
    /** Has an outage. */
    UNAVAILABLE,
    /** Refuses the call because of one of the texts. */
    REFUSING,
    /** Fails because of one of the texts. */
    POISONED;

    private static final List<EmbeddingBehaviour> FAULTS = List.of(LATE, HANGING, BROKEN, FAILING, LYING, LIMITED);
    private static final int FAULT_PERCENT = 20;
    private static final int FAULT_OR_SLOW_PERCENT = 30;

    /** Whether the service returns the vectors of texts without defects, also if it may be too late for the server. */
    boolean embeds() {
        return this == GOOD || this == SLOW || this == LATE;
    }

    static EmbeddingBehaviour any(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < FAULT_PERCENT) {
            return FAULTS.get(random.nextInt(FAULTS.size()));
        }
        return dice < FAULT_OR_SLOW_PERCENT ? SLOW : GOOD;
    }
}
