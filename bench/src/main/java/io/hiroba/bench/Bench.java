package io.hiroba.bench;

import io.hiroba.bench.InterleavedBenchmark.Result;
import io.hiroba.bench.activity.ActivityBench;
import io.hiroba.bench.inbox.InboxBench;
import io.hiroba.bench.knowledge.KnowledgeBench;
import io.hiroba.bench.records.RecordsBench;
import io.hiroba.bench.saga.SagaBench;
import io.hiroba.bench.social.SocialBench;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code ./hiroba bench [--rows=N] [name …]}: runs the benchmarks and prints their tables. */
public final class Bench {

    private static final String ROWS = "--rows=";
    private static final Map<String, Runnable> BENCHMARKS = new LinkedHashMap<>();

    static {
        BENCHMARKS.put("ids", IdsBench::run);
        BENCHMARKS.put("events", EventsBench::run);
        BENCHMARKS.put("binding", BindingBench::run);
        BENCHMARKS.put("social", SocialBench::run);
        BENCHMARKS.put("activity", ActivityBench::run);
        BENCHMARKS.put("saga", SagaBench::run);
        BENCHMARKS.put("records", RecordsBench::run);
        BENCHMARKS.put("knowledge", KnowledgeBench::run);
        BENCHMARKS.put("inbox", InboxBench::run);
    }

    private Bench() {}

    /** {@code --rows=N} limits the data of the benchmarks of records and knowledge, for a quick run. */
    private static boolean isRows(String arg) {
        if (!arg.startsWith(ROWS)) {
            return false;
        }
        System.setProperty(RecordsBench.ROWS, arg.substring(ROWS.length()));
        return true;
    }

    public static void main(String[] args) {
        var given = List.of(args).stream().filter(arg -> !isRows(arg)).toList();
        var names = given.isEmpty() ? List.copyOf(BENCHMARKS.keySet()) : given;
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
