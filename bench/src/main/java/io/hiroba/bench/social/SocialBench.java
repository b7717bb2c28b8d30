package io.hiroba.bench.social;

import io.hiroba.bench.BenchDatabase;

/** {@code ./hiroba bench social}: lists, the home feed, writes, and what becomes of them as a square grows. */
public final class SocialBench {

    private SocialBench() {}

    public static void run() {
        try (var database = BenchDatabase.create()) {
            var data = new SocialData(database.db());
            data.growTo(100_000);
            var growth = new GrowthBench(database.db());
            growth.small();
            data.growTo(1_000_000);
            growth.large();
            new FeedBench(database.db()).run();
            new ListsBench(database).run();
            try (var writes = new WritesBench(database)) {
                writes.run();
            }
        }
    }
}
