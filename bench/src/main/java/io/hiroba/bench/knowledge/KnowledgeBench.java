package io.hiroba.bench.knowledge;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest;
import io.hiroba.bench.Contest.Result;
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

/** {@code ./hiroba bench knowledge}: searches of 100,000 chunks, embedding them, and conversations. */
public final class KnowledgeBench {

    private static final int CLIENTS = 4;
    private static final int POOL = 8;
    private static final int WARM_UP = 4;
    private static final int COMPARED = 100;
    private static final int DOCUMENTS = 100;
    private static final String UNIT = "searches/s";

    private final Shelf shelf;
    private final PlainPgvector plain;
    private final OurSearch ours;
    private final Map<String, LangChainStore> langChain;
    private final double seconds;

    private KnowledgeBench(
            Shelf shelf, PlainPgvector plain, OurSearch ours, Map<String, LangChainStore> langChain, double seconds) {
        this.shelf = shelf;
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
                var shelf = new Shelf(database, chunks)) {
            shelf.fill();
            var config = database.config().withPoolSize(POOL);
            try (var ours = new OurSearch(shelf, database);
                    var plain = new PlainPgvector(shelf, Db.open(config, Search.PLANNER));
                    var bare = new LangChainStore(shelf, config, List.of("enable_indexscan=off"));
                    var usual = new LangChainStore(shelf, config, List.of());
                    var alike = new LangChainStore(shelf, config, Search.PLANNER)) {
                usual.fill();
                var langChain = new LinkedHashMap<String, LangChainStore>();
                langChain.put("LangChain4j, with a graph and settings like ours", alike);
                langChain.put("LangChain4j, with a graph like ours", usual);
                langChain.put("LangChain4j, as it comes", bare);
                new KnowledgeBench(shelf, plain, ours, langChain, seconds).searches();
            }
            documents(shelf);
            talk(shelf, seconds);
            model(seconds);
        }
    }

    private static void documents(Shelf shelf) {
        try (var intake = new Intake(shelf)) {
            new Contest("documents of 20 chunks, written and embedded", "documents/s")
                    .inThreeRounds()
                    .with("in one transaction, by hand", () -> intake.byHand(DOCUMENTS))
                    .with("ours, through the queue", () -> intake.ours(DOCUMENTS))
                    .run();
        }
    }

    private static void talk(Shelf shelf, double seconds) {
        var talk = new Talk(shelf);
        new Contest("a message more in a session", "messages/s")
                .inThreeRounds()
                .with("ours, of 10", () -> talk.ours(10, seconds))
                .with("ours, of 1,000", () -> talk.ours(1_000, seconds))
                .with("ours, of 10,000", () -> talk.ours(10_000, seconds))
                .with("JSONB array, of 10", () -> talk.array(10, seconds))
                .with("JSONB array, of 1,000", () -> talk.array(1_000, seconds))
                .with("JSONB array, of 10,000", () -> talk.array(10_000, seconds))
                .run();
    }

    /** The model inside the program, as the worker asks it: passages of about 60 and of about 300 words. */
    private static void model(double seconds) {
        try (var local = new LocalTexts()) {
            new Contest("the model inside the program", "texts/s")
                    .inThreeRounds()
                    .with("texts of 60 words", () -> local.rate(60, seconds))
                    .with("texts of 300 words", () -> local.rate(300, seconds))
                    .run();
        }
    }

    private void searches() {
        warmUp();
        var contest = new Contest("search, all chunks", UNIT)
                .with("pgvector alone", () -> rate(question -> plain.nearest(question, "true")))
                .with(
                        "ours, by meaning",
                        () -> rate(question -> ours.find(question, SearchMode.VECTOR, SearchFilters.NONE)))
                .with(
                        "ours, hybrid",
                        () -> rate(question -> ours.find(question, SearchMode.HYBRID, SearchFilters.NONE)))
                .with(
                        "ours, by words",
                        () -> rate(question -> ours.find(question, SearchMode.KEYWORD, SearchFilters.NONE)));
        langChain.forEach((name, store) -> contest.with(name, () -> rate(store::find)));
        contest.run();
        recall("all chunks", "true", SearchFilters.NONE);
        langChain.forEach(this::recall);
        latency("pgvector alone", question -> plain.nearest(question, "true"));
        latency("ours, by meaning", question -> ours.find(question, SearchMode.VECTOR, SearchFilters.NONE));
        latency("ours, hybrid", question -> ours.find(question, SearchMode.HYBRID, SearchFilters.NONE));
        latency("ours, by words", question -> ours.find(question, SearchMode.KEYWORD, SearchFilters.NONE));
        filtered(
                "50 % of the chunks",
                "e.user_id = " + Shelf.HALF, new SearchFilters(null, null, null, Shelf.HALF, null, null));
        filtered(
                "5 % of the chunks",
                "e.channel_id = " + Shelf.TWENTIETH, new SearchFilters(null, null, Shelf.TWENTIETH, null, null, null));
        filtered(
                "0.5 % of the chunks",
                "e.source_id = " + shelf.source().value(),
                new SearchFilters(null, shelf.source(), null, null, null, null));
    }

    /** What is measured is a server that has been running: its code is compiled, and the compiler takes no core any more. */
    private void warmUp() {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            rate(question -> plain.nearest(question, "true"));
            for (var mode : SearchMode.values()) {
                rate(question -> ours.find(question, mode, SearchFilters.NONE));
            }
            langChain.values().forEach(store -> rate(store::find));
        }
    }

    private void filtered(String share, String condition, SearchFilters filters) {
        new Contest("search, " + share, UNIT)
                .inThreeRounds()
                .with("pgvector alone", () -> rate(question -> plain.nearest(question, condition)))
                .with("ours, by meaning", () -> rate(question -> ours.find(question, SearchMode.VECTOR, filters)))
                .with("ours, hybrid", () -> rate(question -> ours.find(question, SearchMode.HYBRID, filters)))
                .with("ours, by words", () -> rate(question -> ours.find(question, SearchMode.KEYWORD, filters)))
                .run();
        recall(share, condition, filters);
    }

    private double rate(LongFunction<List<?>> search) {
        return Clients.rate(CLIENTS, seconds, question -> Objects.requireNonNull(search.apply(question)));
    }

    /** How long one search takes while three others are under way; of a hundred, the slowest but one. */
    private void latency(String name, LongFunction<List<?>> search) {
        var times = new ConcurrentLinkedQueue<Long>();
        rate(question -> {
            long begun = System.nanoTime();
            var found = search.apply(question);
            times.add(System.nanoTime() - begun);
            return found;
        });
        var sorted = times.stream().sorted().toList();
        double slow = sorted.get((int) (sorted.size() * 0.99)) / 1e3;
        double usual = sorted.get(sorted.size() / 2) / 1e3;
        new Result("search, all chunks; half of them within", name, usual, "µs", 1).print();
        new Result("search, all chunks; 99 % of them within", name, slow, "µs", slow / usual).print();
    }

    private void recall(String name, LangChainStore store) {
        double found = LongStream.range(0, COMPARED)
                .mapToDouble(question -> {
                    var exact = plain.textsExactly(question);
                    var mine = new HashSet<>(store.find(question));
                    mine.retainAll(exact);
                    return (double) mine.size() / exact.size();
                })
                .average()
                .orElseThrow();
        new Result("recall@10, all chunks", name, found * 100, "%", found).print();
    }

    /** The share of the ten nearest that each finds. */
    private void recall(String share, String condition, SearchFilters filters) {
        double limit = recall(condition, question -> plain.nearest(question, condition));
        double mine = recall(condition, question -> ours.find(question, SearchMode.VECTOR, filters));
        new Result("recall@10, " + share, "pgvector alone", limit * 100, "%", 1).print();
        new Result("recall@10, " + share, "ours, by meaning", mine * 100, "%", mine / limit).print();
    }

    private double recall(String condition, LongFunction<List<Long>> search) {
        return LongStream.range(0, COMPARED)
                .mapToDouble(question -> {
                    var exact = plain.exactly(question, condition);
                    var found = new HashSet<>(search.apply(question));
                    found.retainAll(exact);
                    return (double) found.size() / exact.size();
                })
                .average()
                .orElseThrow();
    }
}
