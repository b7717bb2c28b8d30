package io.hiroba.bench.chaos;

import java.time.Duration;

/**
 * The plan of a run.
 *
 * @param seed of every choice that the run makes; what the machine makes of them differs from run to run
 */
record Plan(Duration duration, long seed, int people, int clients) {

    /** In a long run longer than a batch of events may stall before another server takes it over. */
    Duration longestFreeze() {
        var share = duration.dividedBy(8);
        var most = Duration.ofSeconds(7);
        return share.compareTo(most) < 0 ? share : most;
    }

    static Plan of(Duration duration, long seed) {
        return new Plan(duration, seed, 48, 6);
    }
}
