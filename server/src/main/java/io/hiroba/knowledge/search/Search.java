package io.hiroba.knowledge.search;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.QueryVectors;
import io.hiroba.knowledge.embedding.QueryVectors.Vector;
import io.hiroba.knowledge.embedding.Spaces;
import io.hiroba.knowledge.search.SearchStore.Blend;
import io.hiroba.knowledge.search.SearchStore.Found;
import io.hiroba.knowledge.search.SearchStore.Way;
import io.hiroba.knowledge.search.Terms.Breadth;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.problem.Problem.Kind;
import io.hiroba.platform.text.Passage;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds chunks that the caller may read. */
public final class Search {

    /**
     * Settings of the connections that searches use: the walk through the graph goes on until there are as many hits as are
     * wanted, and is wide enough to find 95 of 100.
     */
    public static final List<String> PLANNER =
            List.of("hnsw.ef_search=100", "hnsw.iterative_scan=relaxed_order", "hnsw.max_scan_tuples=20000", "jit=off");

    private static final Logger log = LoggerFactory.getLogger(Search.class);

    /** How many of each branch a hybrid search ranks. */
    private static final int DEPTH = 50;

    /** So many vectors are looked at one by one if the graph yields too few. */
    private static final int MOST_EXACTLY = 50_000;

    private static final int SNIPPET = 240;
    private static final int ATTEMPTS = 3;
    private static final String NO_MORE = "No more passages that you may read pass the filters.";
    private static final String TOO_MANY = "The filters leave too few of too many passages: narrow the search further.";

    private final Db near;
    private final Spaces spaces;
    private final QueryVectors vectors;
    private final SearchConfig config;
    private final Recall recall;
    private final Frequencies frequencies;
    private final SearchStore store = new SearchStore();
    private final Narrowness narrowness = new Narrowness(store);

    /** @param near connections with {@link #PLANNER} */
    public Search(Db near, Clock clock, Spaces spaces, QueryVectors vectors, SearchConfig config, Recall recall) {
        this.near = near;
        this.spaces = spaces;
        this.vectors = vectors;
        this.config = config;
        this.recall = recall;
        this.frequencies = new Frequencies(near, clock);
    }

    public SearchResult search(Caller caller, SearchQuery query) {
        var terms = Terms.of(query.text(), frequencies);
        return switch (query.mode()) {
            case KEYWORD -> worded(caller.user(), query, terms, null);
            case VECTOR -> near(caller.user(), query, terms);
            case HYBRID -> hybrid(caller.user(), query, terms);
        };
    }

    private SearchResult worded(UserId caller, SearchQuery query, Terms terms, @Nullable String why) {
        List<Found> found = terms.isEmpty() ? List.of() : near.read(reads -> worded(reads, caller, query, terms));
        boolean few = why == null && found.size() < query.limit();
        return result(found, terms, few ? noMoreHold(terms, query.wanted()) : why);
    }

    private static String noMoreHold(Terms terms, int wanted) {
        var left = terms.candidates(Breadth.WIDE, wanted).leaveOut() ? "the rarer of these words" : "these words";
        return "No more passages that you may read hold %s and pass the filters.".formatted(left);
    }

    /** What a wider search ranks may be cut off before it comes to the few that the usual one has found. */
    private List<Found> worded(Reads reads, UserId caller, SearchQuery query, Terms terms) {
        var found = store.worded(reads, caller, terms, Breadth.USUAL, query);
        if (found.size() >= query.limit()
                || !terms.candidates(Breadth.USUAL, query.wanted()).leaveOut()) {
            return found;
        }
        var wider = store.worded(reads, caller, terms, Breadth.WIDE, query);
        var known = found.stream().map(Found::chunk).collect(Collectors.toSet());
        return Stream.concat(found.stream(), wider.stream().filter(hit -> !known.contains(hit.chunk())))
                .sorted(Comparator.comparingDouble(Found::score).reversed())
                .limit(query.limit())
                .toList();
    }

    private SearchResult near(UserId caller, SearchQuery query, Terms terms) {
        double threshold = query.threshold() == null ? config.threshold() : query.threshold();
        return near(caller, query, terms, threshold);
    }

    private SearchResult near(UserId caller, SearchQuery query, Terms terms, double threshold) {
        Answer answer;
        try {
            answer = asked(query.text(), (reads, vector) -> nearest(reads, caller, vector, query));
        } catch (ProviderException e) {
            throw new KnowledgeProblem(
                    Kind.UNAVAILABLE,
                    "no-vector",
                    "The embedding service makes no vector of the query just now: search by words, or try again later.");
        }
        var similar =
                answer.found().stream().filter(hit -> hit.score() >= threshold).toList();
        return result(similar, terms, similar.size() < answer.found().size() ? lessThan(threshold) : answer.why());
    }

    private static String lessThan(double threshold) {
        return "The other passages are less than %.2f similar: ask for a lower `threshold` to see them."
                .formatted(threshold);
    }

    private Answer nearest(Reads reads, UserId caller, Vector vector, SearchQuery query) {
        var way = way(reads, caller, vector, query);
        var found = store.near(reads, caller, vector, query.filters(), query.limit(), way);
        if (found.size() >= query.limit() || way == Way.EXACT) {
            return new Answer(found, found.size() >= query.limit() ? null : NO_MORE);
        }
        return tooMany(reads, caller, vector, query)
                ? new Answer(found, TOO_MANY)
                : new Answer(store.near(reads, caller, vector, query.filters(), query.limit(), Way.EXACT), NO_MORE);
    }

    private Way way(Reads reads, UserId caller, Vector vector, SearchQuery query) {
        var way = narrowness.way(reads, caller, vector, query.filters());
        if (way == Way.GRAPH) {
            recall.sample(caller, vector, query.filters());
        }
        return way;
    }

    /** Whether looking at every vector that the caller may read and the filters leave would take too long. */
    private boolean tooMany(Reads reads, UserId caller, Vector vector, SearchQuery query) {
        return store.count(reads, caller, vector, query.filters(), MOST_EXACTLY) == MOST_EXACTLY;
    }

    private SearchResult hybrid(UserId caller, SearchQuery query, Terms terms) {
        double threshold = query.threshold() == null ? -1 : query.threshold();
        if (terms.isEmpty()) {
            return near(caller, query, terms, threshold);
        }
        try {
            var answer =
                    asked(query.text(), (reads, vector) -> blended(reads, caller, vector, terms, query, threshold));
            return result(answer.found(), terms, answer.why());
        } catch (ProviderException e) {
            log.warn("A search goes by words alone: {} {}", e.fault(), e.getMessage());
            return worded(caller, query, terms, "The embedding service does not answer: found by words alone.");
        }
    }

    /** Each branch has what it can have: one that comes back with too little is asked again, by a longer way. */
    private Answer blended(
            Reads reads, UserId caller, Vector vector, Terms terms, SearchQuery query, double threshold) {
        var way = way(reads, caller, vector, query);
        var usual = new Blend(config.vectorWeight(), config.keywordWeight(), threshold, DEPTH, way, Breadth.USUAL);
        var first = store.hybrid(reads, caller, vector, terms, query, usual);
        boolean noMoreNear = first.near() < query.limit() && way == Way.EXACT;
        boolean fewNear = first.near() < query.limit() && way == Way.GRAPH;
        boolean fewWorded = first.worded() == 0
                && terms.candidates(Breadth.USUAL, query.wanted()).leaveOut();
        if (!fewNear && !fewWorded) {
            boolean few = first.found().size() < query.limit();
            return new Answer(first.found(), !few ? null : noMoreNear ? NO_MORE : lessThan(threshold));
        }
        boolean tooMany = fewNear && tooMany(reads, caller, vector, query);
        var thorough = new Blend(
                config.vectorWeight(),
                config.keywordWeight(),
                threshold,
                DEPTH,
                fewNear && !tooMany ? Way.EXACT : way,
                Breadth.WIDE);
        var found = store.hybrid(reads, caller, vector, terms, query, thorough).found();
        return new Answer(found, tooMany ? TOO_MANY : found.size() < query.limit() ? NO_MORE : null);
    }

    private record Answer(List<Found> found, @Nullable String why) {}

    /** Runs a search with the query's vector; again if another node is just switching to another model. */
    private Answer asked(String text, BiFunction<Reads, Vector, Answer> search) throws ProviderException {
        for (int attempt = 1; ; attempt++) {
            var vector = vectors.of(text);
            try {
                return near.read(reads -> search.apply(reads, vector));
            } catch (DbException e) {
                boolean switching =
                        SqlState.is(e, SqlState.UNDEFINED_TABLE) || SqlState.is(e, SqlState.DEADLOCK_DETECTED);
                if (attempt == ATTEMPTS || !switching) {
                    throw e;
                }
                spaces.forget();
            }
        }
    }

    private static SearchResult result(List<Found> found, Terms terms, @Nullable String why) {
        return new SearchResult(found.stream().map(hit -> shown(hit, terms)).toList(), why);
    }

    private static Hit shown(Found found, Terms terms) {
        var url = found.url() == null
                ? "/knowledge/sources/%s?chunk=%s"
                        .formatted(found.source().hex(), found.chunk().hex())
                : found.url();
        return new Hit(
                found.chunk(),
                found.source(),
                found.title(),
                found.type(),
                found.score(),
                Passage.of(found.content(), terms.shown(), SNIPPET),
                found.content(),
                url,
                found.label());
    }
}
