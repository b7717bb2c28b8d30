package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.QueryEmbeddings;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.QueryTerms.Breadth;
import io.hiroba.knowledge.search.SearchStore.Found;
import io.hiroba.knowledge.search.SearchStore.HybridOptions;
import io.hiroba.knowledge.search.SearchStore.VectorScan;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.text.Passage;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
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

    private static final int SNIPPET_LENGTH = 240;
    private static final int MAX_ATTEMPTS = 3;
    private static final Text NO_MORE = Text.of("knowledge.search.no-more");
    private static final Text TOO_MANY = Text.of("knowledge.search.too-many");

    private final Db searchDatabase;
    private final EmbeddingSpaces spaces;
    private final QueryEmbeddings vectors;
    private final SearchConfig config;
    private final RecallSampler recall;
    private final TermStatistics frequencies;
    private final SearchStore store = new SearchStore();
    private final VectorScanChoice narrowness = new VectorScanChoice(store);
    private Optional<Reranking> reranking = Optional.empty();

    /** @param searchDatabase connections with {@link #PLANNER} */
    public Search(
            Db searchDatabase,
            Clock clock,
            EmbeddingSpaces spaces,
            QueryEmbeddings vectors,
            SearchConfig config,
            RecallSampler recall) {
        this.searchDatabase = searchDatabase;
        this.spaces = spaces;
        this.vectors = vectors;
        this.config = config;
        this.recall = recall;
        this.frequencies = new TermStatistics(searchDatabase, clock, store);
    }

    /** Has the best hits ordered by a model; called before the first search. */
    Search rerankedBy(Reranking model) {
        reranking = Optional.of(model);
        return this;
    }

    public Result search(Caller caller, KnowledgeQuery query) {
        return reranking
                .map(model -> model.apply(query, wider -> find(caller, wider)))
                .orElseGet(() -> find(caller, query));
    }

    private Result find(Caller caller, KnowledgeQuery query) {
        var terms = QueryTerms.of(query.text(), frequencies);
        return switch (query.mode()) {
            case KEYWORD -> keywordSearch(caller.user(), query, terms, null);
            case VECTOR -> vectorSearch(caller.user(), query, terms);
            case HYBRID -> hybrid(caller.user(), query, terms);
        };
    }

    private Result keywordSearch(UserId caller, KnowledgeQuery query, QueryTerms terms, @Nullable Text why) {
        List<Found> found =
                terms.isEmpty() ? List.of() : searchDatabase.read(reads -> keywordSearch(reads, caller, query, terms));
        boolean few = why == null && found.size() < query.limit();
        return result(found, terms, few ? tooFewMatches(terms, query.candidateCount()) : why);
    }

    private static Text tooFewMatches(QueryTerms terms, int wanted) {
        return terms.candidates(Breadth.WIDE, wanted).leaveOut()
                ? Text.of("knowledge.search.no-more-rare-words")
                : Text.of("knowledge.search.no-more-words");
    }

    /** The wider search may be truncated before the hits of the usual one, so both are merged. */
    private List<Found> keywordSearch(Reads reads, UserId caller, KnowledgeQuery query, QueryTerms terms) {
        var found = store.keywordSearch(reads, caller, terms, Breadth.USUAL, query);
        if (found.size() >= query.limit()
                || !terms.candidates(Breadth.USUAL, query.candidateCount()).leaveOut()) {
            return found;
        }
        var wider = store.keywordSearch(reads, caller, terms, Breadth.WIDE, query);
        var known = found.stream().map(Found::chunk).collect(Collectors.toSet());
        return Stream.concat(found.stream(), wider.stream().filter(hit -> !known.contains(hit.chunk())))
                .sorted(Comparator.comparingDouble(Found::score).reversed())
                .limit(query.limit())
                .toList();
    }

    private Result vectorSearch(UserId caller, KnowledgeQuery query, QueryTerms terms) {
        double threshold = query.threshold() == null ? config.threshold() : query.threshold();
        return vectorSearch(caller, query, terms, threshold);
    }

    private Result vectorSearch(UserId caller, KnowledgeQuery query, QueryTerms terms, double threshold) {
        Answer answer;
        try {
            answer = withQueryVector(query.text(), (reads, vector) -> nearest(reads, caller, vector, query));
        } catch (ProviderException e) {
            if (e.fault() == Fault.TEXT_REFUSED) {
                return result(List.of(), terms, Text.of("knowledge.search.text-refused"));
            }
            throw new KnowledgeProblem(Kind.UNAVAILABLE, "no-vector");
        }
        var similar =
                answer.found().stream().filter(hit -> hit.score() >= threshold).toList();
        return result(similar, terms, similar.size() < answer.found().size() ? lessThan(threshold) : answer.why());
    }

    private static Text lessThan(double threshold) {
        return Text.of("knowledge.search.less-similar", "threshold", threshold);
    }

    private Answer nearest(Reads reads, UserId caller, Vector vector, KnowledgeQuery query) {
        var scan = scan(reads, caller, vector, query);
        var found = store.vectorSearch(reads, caller, vector, query.filters(), query.limit(), scan);
        if (found.size() >= query.limit() || scan == VectorScan.EXACT) {
            return new Answer(found, found.size() >= query.limit() ? null : NO_MORE);
        }
        return tooMany(reads, caller, vector, query)
                ? new Answer(found, TOO_MANY)
                : new Answer(
                        store.vectorSearch(reads, caller, vector, query.filters(), query.limit(), VectorScan.EXACT),
                        NO_MORE);
    }

    private VectorScan scan(Reads reads, UserId caller, Vector vector, KnowledgeQuery query) {
        var scan = narrowness.scan(reads, caller, vector, query.filters());
        if (scan == VectorScan.GRAPH) {
            recall.sample(caller, vector, query.filters());
        }
        return scan;
    }

    /** Whether an exact scan would take too long. */
    private boolean tooMany(Reads reads, UserId caller, Vector vector, KnowledgeQuery query) {
        return store.count(reads, caller, vector, query.filters(), MAX_EXACT_SCAN) == MAX_EXACT_SCAN;
    }

    private Result hybrid(UserId caller, KnowledgeQuery query, QueryTerms terms) {
        double threshold = query.threshold() == null ? -1 : query.threshold();
        if (terms.isEmpty()) {
            return vectorSearch(caller, query, terms, threshold);
        }
        try {
            var answer = withQueryVector(
                    query.text(), (reads, vector) -> hybridSearch(reads, caller, vector, terms, query, threshold));
            return result(answer.found(), terms, answer.why());
        } catch (ProviderException e) {
            if (e.fault() == Fault.TEXT_REFUSED) {
                return keywordSearch(caller, query, terms, Text.of("knowledge.search.text-refused"));
            }
            log.warn("Searching by keyword only: {} {}", e.fault(), e.getMessage());
            return keywordSearch(caller, query, terms, Text.of("knowledge.search.keyword-only"));
        }
    }

    /** A branch with too few hits is searched again, more thoroughly. */
    private Answer hybridSearch(
            Reads reads, UserId caller, Vector vector, QueryTerms terms, KnowledgeQuery query, double threshold) {
        var scan = scan(reads, caller, vector, query);
        var usual = new HybridOptions(
                config.vectorWeight(), config.keywordWeight(), threshold, HYBRID_DEPTH, scan, Breadth.USUAL);
        var first = store.hybrid(reads, caller, vector, terms, query, usual);
        boolean noMoreNearest = first.nearest() < query.limit() && scan == VectorScan.EXACT;
        boolean fewNearest = first.nearest() < query.limit() && scan == VectorScan.GRAPH;
        boolean fewKeyword = first.keyword() == 0
                && terms.candidates(Breadth.USUAL, query.candidateCount()).leaveOut();
        if (!fewNearest && !fewKeyword) {
            boolean few = first.found().size() < query.limit();
            return new Answer(first.found(), !few ? null : noMoreNearest ? NO_MORE : lessThan(threshold));
        }
        boolean tooMany = fewNearest && tooMany(reads, caller, vector, query);
        var thorough = new HybridOptions(
                config.vectorWeight(),
                config.keywordWeight(),
                threshold,
                HYBRID_DEPTH,
                fewNearest && !tooMany ? VectorScan.EXACT : scan,
                Breadth.WIDE);
        var found = store.hybrid(reads, caller, vector, terms, query, thorough).found();
        return new Answer(found, tooMany ? TOO_MANY : found.size() < query.limit() ? NO_MORE : null);
    }

    private record Answer(List<Found> found, @Nullable Text why) {}

    /** Runs a search with the query's vector; retries if another node is switching the active space. */
    private Answer withQueryVector(String text, BiFunction<Reads, Vector, Answer> search) throws ProviderException {
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

    private static Result result(List<Found> found, QueryTerms terms, @Nullable Text why) {
        return new Result(found.stream().map(hit -> shown(hit, terms)).toList(), why);
    }

    private static SearchHit shown(Found found, QueryTerms terms) {
        var url = found.url() == null
                ? "/knowledge/sources/%s?chunk=%s"
                        .formatted(found.source().hex(), found.chunk().hex())
                : found.url();
        return new SearchHit(
                found.chunk(),
                found.source(),
                found.title(),
                found.type(),
                found.score(),
                Passage.of(found.content(), terms.shown(), SNIPPET_LENGTH),
                found.content(),
                url,
                found.label());
    }

    /**
     * The hits of a search.
     *
     * @param why the reason why hits are missing or of lower quality; null otherwise
     */
    public record Result(List<SearchHit> hits, @Nullable Text why) {

        public Result {
            hits = List.copyOf(hits);
        }

        public boolean truncated() {
            return why != null;
        }
    }
}
