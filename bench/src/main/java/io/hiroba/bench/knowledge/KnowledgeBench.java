package io.hiroba.bench.knowledge;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.InterleavedBenchmark.Result;
import io.hiroba.bench.LoadClients;
import io.hiroba.bench.records.RecordsBench;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.db.Db;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** The benchmark of knowledge: search over 100,000 chunks, ingestion, sessions and the local model. */
public final class KnowledgeBench {

    private static final int CLIENTS = 4;
    private static final int POOL = 8;
    private static final int WARM_UP = 4;
    private static final int COMPARED = 100;
    private static final int DOCUMENTS = 100;
    private static final String UNIT = "searches/s";

    private final ChunkData data;
    private final PlainPgvector plain;
    private final HirobaSearch ours;
    private final Map<String, LangChainStore> langChain;
    private final double seconds;

    private KnowledgeBench(
            ChunkData data,
            PlainPgvector plain,
            HirobaSearch ours,
            Map<String, LangChainStore> langChain,
            double seconds) {
        this.data = data;
        this.plain = plain;
        this.ours = ours;
        this.langChain = langChain;
        this.seconds = seconds;
    }

    public static void run() {
        run(Integer.getInteger(RecordsBench.ROWS, 100_000), 3);
    }

    static void run(int chunks, double seconds) {
        try (var database = BenchDatabase.create();
                var data = new ChunkData(database, chunks)) {
            data.fill();
            var config = database.config().withPoolSize(POOL);
            try (var ours = new HirobaSearch(data, database);
                    var plain = new PlainPgvector(data, Db.open(config, Search.PLANNER));
                    var graph = new LangChainStore(data, config, Search.PLANNER)) {
                graph.fill();
                var langChain = new LinkedHashMap<String, LangChainStore>();
                var benchmark = new KnowledgeBench(data, plain, ours, langChain, seconds);
                try (var lists = LangChainStore.withOwnIndex(data, config, benchmark::recall)) {
                    langChain.put("LangChain4j, its own index at its best", lists);
                    langChain.put("LangChain4j, with a graph and settings like ours", graph);
                    benchmark.searches();
                }
            }
            documents(data);
            sessions(data, seconds);
            model(seconds);
        }
    }

    private static void documents(ChunkData data) {
        try (var ingestion = new IngestionBench(data)) {
            new InterleavedBenchmark("documents of 20 chunks, written and embedded", "documents/s")
                    .inThreeRounds()
                    .with("in one transaction, by hand", () -> ingestion.plain(DOCUMENTS))
                    .with("ours, through the queue", () -> ingestion.ours(DOCUMENTS))
                    .run();
        }
    }

    private static void sessions(ChunkData data, double seconds) {
        var sessions = new SessionsBench(data);
        new InterleavedBenchmark("a message more in a session", "messages/s")
                .inThreeRounds()
                .with("ours, of 10", () -> sessions.ours(10, seconds))
                .with("ours, of 1,000", () -> sessions.ours(1_000, seconds))
                .with("ours, of 10,000", () -> sessions.ours(10_000, seconds))
                .with("JSONB array, of 10", () -> sessions.array(10, seconds))
                .with("JSONB array, of 1,000", () -> sessions.array(1_000, seconds))
                .with("JSONB array, of 10,000", () -> sessions.array(10_000, seconds))
                .run();
    }

    /** The throughput of the local model with chunks of about 60 and 300 words. */
    private static void model(double seconds) {
        try (var local = new LocalModelBench()) {
            new InterleavedBenchmark("the model inside the program", "texts/s")
                    .inThreeRounds()
                    .with("texts of 60 words", () -> local.rate(60, seconds))
                    .with("texts of 300 words", () -> local.rate(300, seconds))
                    .run();
        }
    }

    private void searches() {
        warmUp();
        var benchmark = new InterleavedBenchmark("search, all chunks", UNIT)
                .with("pgvector alone", () -> rate(query -> plain.nearest(query, "true")))
                .with("ours, by meaning", () -> rate(query -> ours.find(query, SearchMode.VECTOR, SearchFilters.NONE)))
                .with("ours, hybrid", () -> rate(query -> ours.find(query, SearchMode.HYBRID, SearchFilters.NONE)))
                .with("ours, by words", () -> rate(query -> ours.find(query, SearchMode.KEYWORD, SearchFilters.NONE)));
        langChain.forEach((name, store) -> benchmark.with(name, () -> rate(store::find)));
        benchmark.run();
        recall("all chunks", "true", SearchFilters.NONE);
        langChain.forEach(this::recall);
        latency("pgvector alone", query -> plain.nearest(query, "true"));
        latency("ours, by meaning", query -> ours.find(query, SearchMode.VECTOR, SearchFilters.NONE));
        latency("ours, hybrid", query -> ours.find(query, SearchMode.HYBRID, SearchFilters.NONE));
        latency("ours, by words", query -> ours.find(query, SearchMode.KEYWORD, SearchFilters.NONE));
        filtered(
                "50 % of the chunks",
                "e.user_id = " + ChunkData.HALF, new SearchFilters(null, null, null, ChunkData.HALF, null, null));
        filtered(
                "5 % of the chunks",
                "e.channel_id = " + ChunkData.TWENTIETH,
                new SearchFilters(null, null, ChunkData.TWENTIETH, null, null, null));
        filtered(
                "0.5 % of the chunks",
                "e.source_id = " + data.source().value(),
                new SearchFilters(null, data.source(), null, null, null, null));
    }

    /** Lets the JIT compile everything before the measurement. */
    private void warmUp() {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            rate(query -> plain.nearest(query, "true"));
            for (var mode : SearchMode.values()) {
                rate(query -> ours.find(query, mode, SearchFilters.NONE));
            }
            langChain.values().forEach(store -> rate(store::find));
        }
    }

    private void filtered(String share, String condition, SearchFilters filters) {
        new InterleavedBenchmark("search, " + share, UNIT)
                .inThreeRounds()
                .with("pgvector alone", () -> rate(query -> plain.nearest(query, condition)))
                .with("ours, by meaning", () -> rate(query -> ours.find(query, SearchMode.VECTOR, filters)))
                .with("ours, hybrid", () -> rate(query -> ours.find(query, SearchMode.HYBRID, filters)))
                .with("ours, by words", () -> rate(query -> ours.find(query, SearchMode.KEYWORD, filters)))
                .run();
        recall(share, condition, filters);
    }

    private double rate(LongFunction<List<?>> search) {
        return LoadClients.rate(CLIENTS, seconds, query -> Objects.requireNonNull(search.apply(query)));
    }

    /** Measures the median and the 99th percentile of the latency with four concurrent clients. */
    private void latency(String name, LongFunction<List<?>> search) {
        var times = new ConcurrentLinkedQueue<Long>();
        rate(query -> {
            long start = System.nanoTime();
            var found = search.apply(query);
            times.add(System.nanoTime() - start);
            return found;
        });
        var sorted = times.stream().sorted().toList();
        double slow = sorted.get((int) (sorted.size() * 0.99)) / 1e3;
        double usual = sorted.get(sorted.size() / 2) / 1e3;
        new Result("search, all chunks; half of them within", name, usual, "µs", 1).print();
        new Result("search, all chunks; 99 % of them within", name, slow, "µs", slow / usual).print();
    }

    private void recall(String name, LangChainStore store) {
        double found = recall(store);
        new Result("recall@10, all chunks", name, found * 100, "%", found).print();
    }

    private double recall(LangChainStore store) {
        return LongStream.range(0, COMPARED)
                .mapToDouble(query -> {
                    var exact = plain.textsExactly(query);
                    var mine = new HashSet<>(store.find(query));
                    mine.retainAll(exact);
                    return (double) mine.size() / exact.size();
                })
                .average()
                .orElseThrow();
    }

    /** Measures recall@10 against an exact scan. */
    private void recall(String share, String condition, SearchFilters filters) {
        double limit = recall(condition, query -> plain.nearest(query, condition));
        double mine = recall(condition, query -> ours.find(query, SearchMode.VECTOR, filters));
        new Result("recall@10, " + share, "pgvector alone", limit * 100, "%", 1).print();
        new Result("recall@10, " + share, "ours, by meaning", mine * 100, "%", mine / limit).print();
    }

    private double recall(String condition, LongFunction<List<Long>> search) {
        return LongStream.range(0, COMPARED)
                .mapToDouble(query -> {
                    var exact = plain.exactly(query, condition);
                    var found = new HashSet<>(search.apply(query));
                    found.retainAll(exact);
                    return (double) found.size() / exact.size();
                })
                .average()
                .orElseThrow();
    }
}
