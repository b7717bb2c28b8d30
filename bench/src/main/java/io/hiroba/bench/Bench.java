package io.hiroba.bench;

import io.hiroba.bench.Contest.Result;
import io.hiroba.bench.activity.ActivityBench;
import io.hiroba.bench.saga.SagaBench;
import io.hiroba.bench.social.SocialBench;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code ./hiroba bench [name …]}: runs the benchmarks and prints their tables. */
public final class Bench {

    private static final Map<String, Runnable> BENCHMARKS = new LinkedHashMap<>();

    static {
        BENCHMARKS.put("ids", IdsBench::run);
        BENCHMARKS.put("events", EventsBench::run);
        BENCHMARKS.put("social", SocialBench::run);
        BENCHMARKS.put("activity", ActivityBench::run);
        BENCHMARKS.put("saga", SagaBench::run);
    }

    private Bench() {}

    public static void main(String[] args) {
        var names = args.length == 0 ? List.copyOf(BENCHMARKS.keySet()) : List.of(args);
        for (var name : names) {
            if (!BENCHMARKS.containsKey(name)) {
                System.err.printf("There is no benchmark `%s`. Those there are: %s%n", name, BENCHMARKS.keySet());
                System.exit(2);
            }
        }
        System.out.printf(
                "%s, %d cores, Java %s%n%n%s%n",
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                Result.header());
        for (var name : names) {
            BENCHMARKS.getOrDefault(name, () -> {}).run();
        }
    }
}
