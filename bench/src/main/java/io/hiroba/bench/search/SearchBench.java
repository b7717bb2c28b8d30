package io.hiroba.bench.search;

import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.search.SearchJudge.Verdict;
import io.hiroba.knowledge.embedding.EmbeddingProviders;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.i18n.Language;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The judge of search: asks its questions of every mode of the search and of plain rankings over the same chunks and vectors, and counts right
 * passages and false answers.
 */
public final class SearchBench {

    private static final String SPLIT = "--split=";
    private static final String FAILURES = "--failures";
    private static final String VECTORS = "--vectors=";
    private static final String CALIBRATE = "--calibrate";
    private static final String HYBRID = "hybrid";
    private static final String ANY_RELEVANCE = "hybrid, of any relevance";
    private static final String ANY_SIMILARITY = "by meaning, of any similarity";
    private static final String ANY_WORDS = "by words, of any relevance";
    private static final int WARM_UP = 20;

    private final IndexedCorpus corpus;
    private final Map<String, Function<SearchQuestion, List<Long>>> contestants = new LinkedHashMap<>();

    private SearchBench(IndexedCorpus corpus, LuceneRanking pairs, LuceneRanking words) {
        this.corpus = corpus;
        var plain = new PlainRankings(corpus);
        plain.prepare();
        int limit = SearchJudge.LIMIT;
        contestants.put(HYBRID, ours(SearchMode.HYBRID, null));
        contestants.put(ANY_RELEVANCE, ours(SearchMode.HYBRID, -1.0));
        contestants.put("by meaning", ours(SearchMode.VECTOR, null));
        contestants.put(ANY_SIMILARITY, ours(SearchMode.VECTOR, -1.0));
        contestants.put("by words", ours(SearchMode.KEYWORD, null));
        contestants.put(ANY_WORDS, ours(SearchMode.KEYWORD, -1.0));
        contestants.put("pgvector alone", question -> plain.byVector(question, limit));
        contestants.put("tsvector and ts_rank", question -> plain.byWords(question, limit));
        contestants.put("equal-weight RRF of these two", question -> plain.fused(question, limit));
        contestants.put("BM25 of Lucene, pairs of characters", question -> pairs.find(question, limit));
        contestants.put("BM25 of Lucene, words of dictionaries", question -> words.find(question, limit));
    }

    /** Whether a word of the command line is an option of this benchmark. */
    public static boolean isOption(String word) {
        return word.startsWith(SPLIT) || word.equals(FAILURES) || word.equals(CALIBRATE) || word.startsWith(VECTORS);
    }

    /**
     * Runs the benchmark.
     *
     * @param options {@code --split=tune}, {@code held-out} or {@code all}; {@code --failures} to list what the hybrid search misses;
     *     {@code --vectors=FILE} to keep the vectors of texts for the next run, until the model changes; {@code --calibrate} to fit the
     *     weights of relevance to the questions for tuning and print them, instead
     */
    public static void run(List<String> options) {
        var all = SearchCorpus.load();
        var questions = split(all.questions(), value(options, SPLIT));
        var vectors = value(options, VECTORS);
        try (var kept = new KeptVectors(vectors == null ? null : Path.of(vectors));
                var database = BenchDatabase.create();
                var corpus = new IndexedCorpus(
                        database,
                        kept.over(EmbeddingProviders.configured(IndexedCorpus.embeddingConfig(), Clock.systemUTC())))) {
            corpus.fill(all.documents());
            if (options.contains(CALIBRATE)) {
                calibrate(corpus, split(all.questions(), "tune"));
                return;
            }
            var chunks = corpus.chunks().values();
            try (var pairs = LuceneRanking.ofPairs(chunks);
                    var words = LuceneRanking.ofWords(chunks)) {
                System.out.printf(
                        "%d documents, %d chunks, %d questions%n%n",
                        all.documents().size(), chunks.size(), questions.size());
                new SearchBench(corpus, pairs, words).judge(questions, options.contains(FAILURES));
            }
        }
    }

    private static void calibrate(IndexedCorpus corpus, List<SearchQuestion> questions) {
        var signals = Map.of(
                SearchMode.HYBRID, new int[] {0, 1, 2, 3, 4, 5, 6},
                SearchMode.VECTOR, new int[] {0, 1, 2},
                SearchMode.KEYWORD, new int[] {0, 3, 4, 5, 6});
        signals.forEach((mode, used) -> {
            for (boolean isSpaced : new boolean[] {true, false}) {
                var asked = questions.stream()
                        .filter(question -> (question.language() == Language.ENGLISH) == isSpaced)
                        .toList();
                var fitted = new Calibrator(used)
                        .fit(
                                examples(corpus, mode, asked, SearchQuestion::hasAnswer),
                                examples(corpus, mode, asked, question -> !question.hasAnswer()));
                System.out.printf("new Key(SearchMode.%s, Script.%s),%n", mode, isSpaced ? "SPACED" : "UNSPACED");
                System.out.println(fitted + ",");
            }
        });
    }

    private static List<Calibrator.Example> examples(
            IndexedCorpus corpus, SearchMode mode, List<SearchQuestion> questions, Predicate<SearchQuestion> which) {
        var judge = new SearchJudge(corpus.chunks());
        return questions.stream()
                .filter(which)
                .map(question -> Calibrator.Example.of(question, corpus.evidence(question.text(), mode), judge))
                .toList();
    }

    private static @Nullable String value(List<String> options, String name) {
        return options.stream()
                .filter(option -> option.startsWith(name))
                .map(option -> option.substring(name.length()))
                .findFirst()
                .orElse(null);
    }

    private static List<SearchQuestion> split(List<SearchQuestion> questions, @Nullable String name) {
        return switch (name) {
            case null -> questions;
            case "all" -> questions;
            case "tune" -> questions.stream().filter(SearchQuestion::tune).toList();
            case "held-out" ->
                questions.stream().filter(question -> !question.tune()).toList();
            default -> throw new IllegalArgumentException("No split of the questions: " + name);
        };
    }

    private Function<SearchQuestion, List<Long>> ours(SearchMode mode, @Nullable Double threshold) {
        return question -> corpus
                .search()
                .search(
                        corpus.caller,
                        new KnowledgeQuery(question.text(), mode, SearchJudge.LIMIT, SearchFilters.NONE, threshold))
                .hits()
                .stream()
                .map(hit -> hit.chunk().value())
                .toList();
    }

    /** The contestants answer each question in turns; the vectors of all questions are there before. */
    private void judge(List<SearchQuestion> questions, boolean failures) {
        var judge = new SearchJudge(corpus.chunks());
        judge.withoutPassage(questions)
                .forEach(question -> System.err.printf("· no chunk has the answer of %s%n", question.id()));
        questions.forEach(question -> corpus.vector(question.text()));
        // The first time warms up.
        verdicts(judge, questions.subList(0, Math.min(WARM_UP, questions.size())));
        var verdicts = verdicts(judge, questions);
        var report = new SearchReport(verdicts, System.out);
        report.byLanguage();
        report.byKind();
        report.slicesBelow(ANY_RELEVANCE, List.of(ANY_SIMILARITY, ANY_WORDS));
        if (failures) {
            report.failures(HYBRID, judge);
        }
    }

    private Map<String, List<Verdict>> verdicts(SearchJudge judge, List<SearchQuestion> questions) {
        var verdicts = new LinkedHashMap<String, List<Verdict>>();
        for (var question : questions) {
            contestants.forEach((name, contestant) -> {
                long start = System.nanoTime();
                var hits = contestant.apply(question);
                verdicts.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(judge.judge(question, hits, System.nanoTime() - start));
            });
        }
        return verdicts;
    }
}
