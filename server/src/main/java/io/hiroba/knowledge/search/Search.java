package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.KnowledgeReader;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.QueryEmbeddings;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.QueryTerms.Breadth;
import io.hiroba.knowledge.search.Relevance.Judged;
import io.hiroba.knowledge.search.SearchStore.Candidate;
import io.hiroba.knowledge.search.SearchStore.Found;
import io.hiroba.knowledge.search.SearchStore.HybridOptions;
import io.hiroba.knowledge.search.SearchStore.VectorScan;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds chunks that the caller may read. */
public final class Search {

    /**
     * Settings of the search connections: the graph scan continues until there are enough hits, and its breadth yields
     * a recall of 95 %.
     */
    public static final List<String> PLANNER =
            List.of("hnsw.ef_search=100", "hnsw.iterative_scan=relaxed_order", "hnsw.max_scan_tuples=20000", "jit=off");

    private static final Logger log = LoggerFactory.getLogger(Search.class);

    /** The hits of each branch that a hybrid search ranks. */
    private static final int HYBRID_DEPTH = 50;

    /** The number of vectors to scan exactly if the graph yields too few. */
    private static final int MAX_EXACT_SCAN = 50_000;

    private static final int MAX_ATTEMPTS = 3;
    private static final Text NO_MORE = Text.of("knowledge.search.no-more");
    private static final Text TOO_MANY = Text.of("knowledge.search.too-many");
    private static final Text NO_WORDS = Text.of("knowledge.search.no-words");
    private static final Text NOTHING_FITS = Text.of("knowledge.search.nothing-fits");
    private static final Text LESS_RELEVANT = Text.of("knowledge.search.less-relevant");

    private final Db searchDatabase;
    private final EmbeddingSpaces spaces;
    private final QueryEmbeddings vectors;
    private final RecallSampler recall;
    private final TermStatistics frequencies;
    private final Spelling spelling;
    private final SearchStore store = new SearchStore();
    private final VectorScanChoice narrowness = new VectorScanChoice(store);
    private Optional<Reranking> reranking = Optional.empty();

    /** @param searchDatabase connections with {@link #PLANNER} */
    public Search(
            Db searchDatabase, Clock clock, EmbeddingSpaces spaces, QueryEmbeddings vectors, RecallSampler recall) {
        this.searchDatabase = searchDatabase;
        this.spaces = spaces;
        this.vectors = vectors;
        this.recall = recall;
        this.frequencies = new TermStatistics(searchDatabase, clock, store);
        this.spelling = new Spelling(searchDatabase, frequencies);
    }

    /** Has the best hits ordered by a model; called before the first search. */
    Search rerankedBy(Reranking model) {
        reranking = Optional.of(model);
        return this;
    }

    public Result search(Caller caller, KnowledgeQuery query) {
        var corrected = spelling.correct(KnowledgeReader.of(caller), query);
        var result = reranking
                .filter(model -> query.mode() == SearchMode.HYBRID)
                .map(model -> model.apply(
                        corrected.query(), wider -> find(caller, wider, corrected.terms(), Floor.OF_RERANKING)))
                .orElseGet(() -> find(caller, corrected.query(), corrected.terms(), Floor.OF_SEARCH)
                        .result());
        return corrected.terms().isEmpty() ? result : result.searchedFor(corrected.shown());
    }

    /** The place where candidates that are not probable enough are left out. */
    private enum Floor {
        OF_SEARCH,
        /** Later, when a model has read them. */
        OF_RERANKING
    }

    private Chosen find(Caller caller, KnowledgeQuery query, Map<String, String> misspelt, Floor floor) {
        var terms = QueryTerms.of(query.text(), frequencies, misspelt);
        if (terms.isEmpty() && query.threshold() == null) {
            return new Chosen(List.of(), terms, NO_WORDS);
        }
        return switch (query.mode()) {
            case KEYWORD -> keywordSearch(KnowledgeReader.of(caller), query, terms, floor, null);
            case VECTOR -> vectorSearch(KnowledgeReader.of(caller), query, terms, floor);
            case HYBRID -> hybrid(KnowledgeReader.of(caller), query, terms, floor);
        };
    }

    /** What speaks for each candidate of a search, so that it can be weighed anew. */
    public List<Evidence> evidence(Caller caller, KnowledgeQuery asked) throws ProviderException {
        var corrected = spelling.correct(KnowledgeReader.of(caller), asked);
        var query = corrected.query();
        var terms = QueryTerms.of(query.text(), frequencies, corrected.terms());
        if (query.mode() == SearchMode.KEYWORD) {
            var found = searchDatabase.read(reads -> keywordSearch(reads, KnowledgeReader.of(caller), query, terms));
            return relevance(query, null, terms, candidates(found)).evidence();
        }
        return withQueryVector(query.text(), (reads, vector) -> {
            var all = query.mode() == SearchMode.VECTOR || terms.isEmpty()
                    ? candidates(nearest(reads, KnowledgeReader.of(caller), vector, query)
                            .found())
                    : candidates(reads, KnowledgeReader.of(caller), vector, terms, query)
                            .all();
            return relevance(query, vector, terms, all).evidence();
        });
    }

    private static List<Candidate> candidates(List<Found> found) {
        return found.stream().map(Found::candidate).toList();
    }

    private static Relevance relevance(
            KnowledgeQuery query, @Nullable Vector vector, QueryTerms terms, List<Candidate> candidates) {
        var mode = terms.isEmpty() && vector != null ? SearchMode.VECTOR : query.mode();
        return new Relevance(
                vector == null ? SearchMode.KEYWORD : mode,
                vector == null ? null : vector.space().model(),
                query.text(),
                terms,
                candidates);
    }

    private Chosen keywordSearch(
            KnowledgeReader caller, KnowledgeQuery query, QueryTerms terms, Floor floor, @Nullable Text why) {
        List<Found> found =
                terms.isEmpty() ? List.of() : searchDatabase.read(reads -> keywordSearch(reads, caller, query, terms));
        var chosen = chosen(relevance(query, null, terms, candidates(found)), query, floor, each -> true);
        var hits = ChosenHit.of(chosen, found);
        boolean few = why == null && hits.size() < query.limit();
        var noMore = tooFewMatches(terms, query.candidateCount());
        return new Chosen(hits, terms, few ? why(found.size(), hits.size(), query, noMore) : why);
    }

    private static Text tooFewMatches(QueryTerms terms, int wanted) {
        return terms.candidates(Breadth.WIDE, wanted).leaveOut()
                ? Text.of("knowledge.search.no-more-rare-words")
                : Text.of("knowledge.search.no-more-words");
    }

    /** The wider search may be truncated before the hits of the usual one, so both are merged. */
    private List<Found> keywordSearch(Reads reads, KnowledgeReader caller, KnowledgeQuery query, QueryTerms terms) {
        var found = store.keywordSearch(reads, caller, terms, Breadth.USUAL, query);
        if (found.size() >= query.limit()
                || !terms.candidates(Breadth.USUAL, query.candidateCount()).leaveOut()) {
            return found;
        }
        var wider = store.keywordSearch(reads, caller, terms, Breadth.WIDE, query);
        var known = found.stream().map(Found::chunk).collect(Collectors.toSet());
        return Stream.concat(found.stream(), wider.stream().filter(hit -> !known.contains(hit.chunk())))
                .toList();
    }

    private Chosen vectorSearch(KnowledgeReader caller, KnowledgeQuery query, QueryTerms terms, Floor floor) {
        try {
            return withQueryVector(query.text(), (reads, vector) -> {
                var nearest = nearest(reads, caller, vector, query);
                var relevance = relevance(query, vector, QueryTerms.NONE, candidates(nearest.found()));
                var hits =
                        ChosenHit.of(chosen(relevance, query, floor, each -> isSimilar(each, query)), nearest.found());
                return chosen(hits, terms, query, why(nearest.found().size(), hits.size(), query, nearest.why()));
            });
        } catch (ProviderException e) {
            if (e.fault() == Fault.TEXT_REFUSED) {
                return new Chosen(List.of(), terms, Text.of("knowledge.search.text-refused"));
            }
            throw new KnowledgeProblem(Kind.UNAVAILABLE, "no-vector");
        }
    }

    private static boolean isSimilar(Candidate candidate, KnowledgeQuery query) {
        var similarity = candidate.similarity();
        return query.threshold() == null || (similarity != null && similarity >= query.threshold());
    }

    /** The candidates that are relevant enough, or similar enough where the query says how similar; the best first. */
    private static List<Judged> chosen(
            Relevance relevance, KnowledgeQuery query, Floor floor, Predicate<Candidate> wanted) {
        return relevance.judged().stream()
                .filter(each -> query.threshold() == null
                        ? floor == Floor.OF_RERANKING || each.isEnough()
                        : wanted.test(each.candidate()))
                .limit(query.limit())
                .toList();
    }

    /** Why {@code left} hits are fewer than asked for, of which there were {@code found}. */
    private static Text why(int found, int left, KnowledgeQuery query, Text noMore) {
        if (left == found) {
            return noMore;
        }
        return query.threshold() == null
                ? lessRelevant(left)
                : Text.of("knowledge.search.less-similar", "threshold", query.threshold());
    }

    /** Why {@code left} of what was found are shown. */
    static Text lessRelevant(int left) {
        return left == 0 ? NOTHING_FITS : LESS_RELEVANT;
    }

    private static Chosen chosen(List<ChosenHit> hits, QueryTerms terms, KnowledgeQuery query, Text why) {
        return new Chosen(hits, terms, hits.size() < query.limit() ? why : null);
    }

    private Nearest nearest(Reads reads, KnowledgeReader caller, Vector vector, KnowledgeQuery query) {
        var scan = scan(reads, caller, vector, query);
        var found = store.vectorSearch(reads, caller, vector, query.filters(), query.limit(), scan);
        if (found.size() >= query.limit() || scan == VectorScan.EXACT) {
            return new Nearest(found, NO_MORE);
        }
        int all = count(reads, caller, vector, query);
        if (all == MAX_EXACT_SCAN) {
            return new Nearest(found, TOO_MANY);
        }
        return new Nearest(
                found.size() >= all
                        ? found
                        : store.vectorSearch(reads, caller, vector, query.filters(), query.limit(), VectorScan.EXACT),
                NO_MORE);
    }

    private VectorScan scan(Reads reads, KnowledgeReader caller, Vector vector, KnowledgeQuery query) {
        var scan = narrowness.scan(reads, caller, vector, query.filters());
        if (scan == VectorScan.GRAPH) {
            recall.sample(caller, vector, query.filters());
        }
        return scan;
    }

    /** The number of vectors to scan exactly; {@link #MAX_EXACT_SCAN} if that would take too long. */
    private int count(Reads reads, KnowledgeReader caller, Vector vector, KnowledgeQuery query) {
        return store.count(reads, caller, vector, query.filters(), MAX_EXACT_SCAN);
    }

    private Chosen hybrid(KnowledgeReader caller, KnowledgeQuery query, QueryTerms terms, Floor floor) {
        if (terms.isEmpty()) {
            return vectorSearch(caller, query, terms, floor);
        }
        if (query.text().codePoints().noneMatch(Character::isLetterOrDigit) || !vectors.understands(query.text())) {
            // The model knows no signs such as 😀 either, and finds all equally near.
            return keywordSearch(caller, query, terms, floor, null);
        }
        try {
            return withQueryVector(
                    query.text(), (reads, vector) -> hybridSearch(reads, caller, vector, terms, query, floor));
        } catch (ProviderException e) {
            if (e.fault() == Fault.TEXT_REFUSED) {
                return keywordSearch(caller, query, terms, floor, Text.of("knowledge.search.text-refused"));
            }
            log.warn("Searching by keyword only: {} {}", e.fault(), e.getMessage());
            return keywordSearch(caller, query, terms, floor, Text.of("knowledge.search.keyword-only"));
        }
    }

    private Chosen hybridSearch(
            Reads reads, KnowledgeReader caller, Vector vector, QueryTerms terms, KnowledgeQuery query, Floor floor) {
        var candidates = candidates(reads, caller, vector, terms, query);
        var chosen = chosen(
                relevance(query, vector, terms, candidates.all()),
                query,
                floor,
                each -> isSimilar(each, query) || each.isMatch());
        var texts = chosen.isEmpty()
                ? List.<Found>of()
                : store.texts(
                        reads, caller, chosen.stream().map(Judged::candidate).toList());
        return chosen(
                ChosenHit.of(chosen, texts),
                terms,
                query,
                why(candidates.all().size(), chosen.size(), query, candidates.why()));
    }

    /** A branch with too few hits is searched again, more thoroughly. */
    private Candidates candidates(
            Reads reads, KnowledgeReader caller, Vector vector, QueryTerms terms, KnowledgeQuery query) {
        var scan = scan(reads, caller, vector, query);
        var usual = new HybridOptions(HYBRID_DEPTH, scan, Breadth.USUAL);
        var first = store.candidates(reads, caller, vector, terms, query, usual);
        long near = first.stream().filter(Candidate::isNear).count();
        int all = scan == VectorScan.GRAPH && near < query.limit() ? count(reads, caller, vector, query) : 0;
        // Where the graph has found all that there are, an exact scan finds no more.
        boolean fewNearest = all > near;
        boolean fewMatches = first.stream().noneMatch(Candidate::isMatch)
                && terms.candidates(Breadth.USUAL, query.candidateCount()).leaveOut();
        if (!fewNearest && !fewMatches) {
            return new Candidates(first, NO_MORE);
        }
        boolean tooMany = all == MAX_EXACT_SCAN;
        var thorough = new HybridOptions(HYBRID_DEPTH, fewNearest && !tooMany ? VectorScan.EXACT : scan, Breadth.WIDE);
        return new Candidates(
                store.candidates(reads, caller, vector, terms, query, thorough), tooMany ? TOO_MANY : NO_MORE);
    }

    private record Nearest(List<Found> found, Text why) {}

    private record Candidates(List<Candidate> all, Text why) {}

    /**
     * The hits that a search has chosen, the best first.
     *
     * @param why the reason why there are no more
     */
    record Chosen(
            List<ChosenHit> hits,
            QueryTerms terms,
            @Nullable Text why) {

        private Result result() {
            return new Result(
                    hits.stream()
                            .map(hit -> hit.shown(terms, hit.judged().probability()))
                            .toList(),
                    why);
        }
    }

    /** Runs a search with the query's vector; retries if another node is switching the active space. */
    private <T> T withQueryVector(String text, BiFunction<Reads, Vector, T> search) throws ProviderException {
        for (int attempt = 1; ; attempt++) {
            var vector = vectors.of(text);
            try {
                return searchDatabase.read(reads -> search.apply(reads, vector));
            } catch (DbException e) {
                boolean switching =
                        SqlState.is(e, SqlState.UNDEFINED_TABLE) || SqlState.is(e, SqlState.DEADLOCK_DETECTED);
                if (attempt == MAX_ATTEMPTS || !switching) {
                    throw e;
                }
                spaces.invalidate();
            }
        }
    }

    /**
     * The hits of a search.
     *
     * @param why the reason why hits are missing or of lower quality; null otherwise
     * @param searchedFor the query with misspelt words corrected; null where none was
     */
    public record Result(
            List<SearchHit> hits,
            @Nullable Text why,
            @Nullable String searchedFor) {

        public Result {
            hits = List.copyOf(hits);
        }

        Result(List<SearchHit> hits, @Nullable Text why) {
            this(hits, why, null);
        }

        private Result searchedFor(String corrected) {
            return new Result(hits, why, corrected);
        }

        public boolean truncated() {
            return why != null;
        }
    }
}
