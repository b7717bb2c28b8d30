package io.hiroba.bench.social;

import io.hiroba.bench.BenchDatabase;

/** The benchmark of social: lists, the home feed, writes, and their growth with the number of posts. */
public final class SocialBench {

    private SocialBench() {}

    public static void run() {
        try (var database = BenchDatabase.create()) {
            new SocialData(database.db()).fill(1_000_000);
            try (var small = BenchDatabase.create()) {
                new SocialData(small.db()).fill(100_000);
                new GrowthBench(small.db(), database.db()).run();
            }
            new FeedBench(database.db()).run();
            new ListsBench(database).run();
            try (var writes = new WritesBench(database)) {
                writes.run();
            }
        }
    }
}
