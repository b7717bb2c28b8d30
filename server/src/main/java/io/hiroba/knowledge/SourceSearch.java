package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchHit;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.VocabularyStore;
import io.hiroba.platform.text.VocabularyStore.Place;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sources in the one search: passages by meaning and by words, as the search of knowledge finds them, then those that hold the
 * words as parts of longer ones.
 */
final class SourceSearch implements SearchSource {

    static final VocabularyStore VOCABULARY = new VocabularyStore("knowledge");

    /** The words of the vocabulary that stand for one that was typed. */
    private static final int MAX_TERMS = 20;

    private static final double ANY_SIMILARITY = -1;

    /** Beside what holds the words, which those by keyword judge, passages that are vaguely near would only be in the way. */
    private static final double MIN_RELEVANCE = 0.1;

    private final Db db;
    private final Search search;

    SourceSearch(Db db, Search search) {
        this.db = db;
        this.search = search;
    }

    @Override
    public String type() {
        return "sources";
    }

    @Override
    public String icon() {
        return "book";
    }

    @Override
    public int order() {
        return 40;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.KNOWLEDGE_READ))
                .map(caller -> caller.within(TokenScope.KNOWLEDGE_READ))
                .map(caller -> (typed, limit) -> find(caller, typed, limit));
    }

    private List<SearchResult> find(Caller caller, String typed, int limit) {
        var found = new LinkedHashMap<ChunkId, SearchHit>();
        for (var mode : List.of(SearchMode.HYBRID, SearchMode.KEYWORD)) {
            if (found.size() < limit) {
                search.search(caller, query(typed, mode, limit, null)).hits().stream()
                        .filter(hit -> hit.score() >= MIN_RELEVANCE)
                        .forEach(hit -> found.putIfAbsent(hit.chunk(), hit));
            }
        }
        if (found.size() < limit && !SearchWords.areQuoted(typed)) {
            var longer = longerWords(typed);
            if (!longer.isEmpty()) {
                // Each passage holds few of the longer words, and is wanted all the same.
                search.search(caller, query(longer, SearchMode.KEYWORD, limit, ANY_SIMILARITY))
                        .hits()
                        .forEach(hit -> found.putIfAbsent(hit.chunk(), hit));
            }
        }
        return found.values().stream()
                .limit(limit)
                .map(hit -> new SearchResult(
                        hit.sourceTitle(),
                        hit.snippet(),
                        "/knowledge/sources/" + hit.source().hex() + "?chunk="
                                + hit.chunk().hex(),
                        null))
                .toList();
    }

    private static KnowledgeQuery query(String text, SearchMode mode, int limit, @Nullable Double threshold) {
        return new KnowledgeQuery(text, mode, Math.min(limit, KnowledgeQuery.MAX_LIMIT), SearchFilters.NONE, threshold);
    }

    /** The indexed words that those typed are parts of. */
    private String longerWords(String typed) {
        return db.read(reads -> SearchWords.of(typed).words().stream()
                .flatMap(word -> Phrase.of(word).terms().stream())
                .map(Phrase.Term::lexeme)
                .distinct()
                .filter(lexeme -> VocabularyStore.finds(lexeme, Place.ANYWHERE))
                .flatMap(lexeme -> VOCABULARY.terms(reads, lexeme, Place.ANYWHERE, MAX_TERMS).stream()
                        .filter(term -> !term.equals(lexeme)))
                // In quotation marks: as they are, without correction.
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(" "), terms -> terms.isEmpty() ? "" : "\"" + terms + "\"")));
    }
}
