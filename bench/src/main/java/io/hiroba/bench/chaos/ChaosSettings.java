package io.hiroba.bench.chaos;

import java.time.Duration;

/**
 * The settings of a run of the activity chaos test.
 *
 * @param seed of the random choices; their timing still differs from run to run
 */
record ChaosSettings(Duration duration, long seed, int users, int clients) {

    /** In a long run, longer than the time after which another server takes over a stalled batch of events. */
    Duration maxFreeze() {
        var share = duration.dividedBy(8);
        var max = Duration.ofSeconds(7);
        return share.compareTo(max) < 0 ? share : max;
    }

    static ChaosSettings of(Duration duration, long seed) {
        return new ChaosSettings(duration, seed, 48, 6);
    }
}
