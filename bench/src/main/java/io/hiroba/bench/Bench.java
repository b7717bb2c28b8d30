package io.hiroba.bench;

import io.hiroba.bench.InterleavedBenchmark.Result;
import io.hiroba.bench.activity.ActivityBench;
import io.hiroba.bench.agents.AgentsBench;
import io.hiroba.bench.inbox.InboxBench;
import io.hiroba.bench.knowledge.KnowledgeBench;
import io.hiroba.bench.records.RecordsBench;
import io.hiroba.bench.saga.SagaBench;
import io.hiroba.bench.search.SearchBench;
import io.hiroba.bench.social.SocialBench;
import io.hiroba.platform.task.CarrierWatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./hiroba bench [--rows=N] [--against=CHECKOUT] [name …]}: runs the benchmarks and prints their tables. With another
 * checkout, only the requests over HTTP are measured, to both builds in turns. Sagas and the judge of search have options of their
 * own, see {@link SagaBench#run} and {@link SearchBench#run}.
 */
public final class Bench {

    private static final String ROWS = "--rows=";
    private static final String AGAINST = "--against";
    private static final double SECONDS = 2;
    private static final List<String> SEARCH_OPTIONS = new ArrayList<>();
    private static final List<String> SAGA_OPTIONS = new ArrayList<>();
    private static final Map<String, Runnable> BENCHMARKS = new LinkedHashMap<>();

    static {
        BENCHMARKS.put("ids", IdsBench::run);
        BENCHMARKS.put("events", EventsBench::run);
        BENCHMARKS.put("binding", BindingBench::run);
        BENCHMARKS.put("social", () -> {
            SocialBench.run();
            HttpBench.run("social", null, SECONDS);
        });
        BENCHMARKS.put("activity", ActivityBench::run);
        BENCHMARKS.put("saga", () -> {
            SagaBench.run(SAGA_OPTIONS);
            if (SAGA_OPTIONS.isEmpty()) {
                HttpBench.run("saga", null, SECONDS);
            }
        });
        BENCHMARKS.put("records", () -> {
            RecordsBench.run();
            HttpBench.run("records", null, SECONDS);
        });
        BENCHMARKS.put("knowledge", KnowledgeBench::run);
        BENCHMARKS.put("search", () -> SearchBench.run(SEARCH_OPTIONS));
        BENCHMARKS.put("inbox", InboxBench::run);
        BENCHMARKS.put("agents", AgentsBench::run);
        BENCHMARKS.put("tracing", () -> TracingBench.run(SECONDS));
        BENCHMARKS.put("peers", () -> PeersBench.run(SECONDS));
    }

    private Bench() {}

    public static void main(String[] args) {
        CarrierWatch.start();
        var names = new ArrayList<String>();
        Path against = null;
        for (var words = List.of(args).iterator(); words.hasNext(); ) {
            var word = words.next();
            if (word.startsWith(ROWS)) {
                // For a quick run: the data of the benchmarks of records, knowledge, sagas and peers.
                System.setProperty(RecordsBench.ROWS, word.substring(ROWS.length()));
            } else if (word.startsWith(AGAINST + "=")) {
                against = Path.of(word.substring(AGAINST.length() + 1));
            } else if (word.equals(AGAINST) && words.hasNext()) {
                against = Path.of(words.next());
            } else if (SagaBench.isOption(word)) {
                SAGA_OPTIONS.add(word);
            } else if (SearchBench.isOption(word)) {
                SEARCH_OPTIONS.add(word);
            } else {
                names.add(word);
            }
        }
        run(names, against);
    }

    private static void run(List<String> given, @Nullable Path against) {
        var known = against == null ? BENCHMARKS.keySet() : HttpBench.FEATURES.keySet();
        var names = given.isEmpty() ? List.copyOf(known) : given;
        for (var name : names) {
            if (!known.contains(name)) {
                System.err.printf("There is no benchmark `%s`. Those there are: %s%n", name, known);
                System.exit(2);
            }
        }
        System.out.printf(
                "%s, %d cores, Java %s%n%n%s%n",
                System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                names.equals(List.of("search")) ? "" : Result.header());
        for (var name : names) {
            if (against == null) {
                BENCHMARKS.getOrDefault(name, () -> {}).run();
            } else {
                HttpBench.run(name, against, SECONDS);
            }
        }
    }
}
