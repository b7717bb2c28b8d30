package io.hiroba.bench.activity;

import io.hiroba.bench.BenchDatabase;

/** {@code ./hiroba bench activity}: events to cards, the time from a like to the reader's stream, and many streams. */
public final class ActivityBench {

    private ActivityBench() {}

    public static void run() {
        try (var database = BenchDatabase.create()) {
            Crowd.fill(database.db());
            new CardsBench(database.db()).run();
            new LatencyBench(database).run();
            new StreamsBench(database).run();
        }
    }
}
