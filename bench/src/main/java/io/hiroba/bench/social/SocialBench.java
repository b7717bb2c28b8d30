package io.hiroba.bench.social;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Contest.Result;
import java.util.ArrayList;
import java.util.List;

/** {@code ./hiroba bench social}: lists, the home feed, writes, and what becomes of them as a square grows. */
public final class SocialBench {

    private SocialBench() {}

    public static List<Result> run() {
        try (var database = BenchDatabase.create()) {
            var results = new ArrayList<Result>();
            var data = new SocialData(database.db());
            data.growTo(100_000);
            var growth = new GrowthBench(database.db());
            growth.small();
            data.growTo(1_000_000);
            results.addAll(growth.large());
            results.addAll(new FeedBench(database.db()).run());
            results.addAll(new ListsBench(database).run());
            try (var writes = new WritesBench(database)) {
                results.addAll(writes.run());
            }
            return results;
        }
    }
}
