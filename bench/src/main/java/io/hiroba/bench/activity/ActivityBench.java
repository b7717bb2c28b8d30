package io.hiroba.bench.activity;

import io.hiroba.bench.BenchDatabase;

/** The benchmark of activity: events to cards, the latency from a like to the stream, and many open streams. */
public final class ActivityBench {

    private ActivityBench() {}

    public static void run() {
        try (var database = BenchDatabase.create()) {
            ActivityData.fill(database.db());
            new CardsBench(database.db()).run();
            new LatencyBench(database).run();
            new StreamsBench(database).run();
        }
    }
}
