package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.search.SearchHit;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Passage.Piece;
import io.hiroba.platform.text.ScriptLanguage;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The search page: the form and the hits.
 *
 * @param problem why the search was refused
 * @param truncated why there are fewer hits than asked for
 * @param searchedFor the query with misspelt words corrected; null where none was
 * @param isNewcomer whether the reader has nothing to search yet
 */
public record KnowledgeSearchView(
        SearchForm form,
        @Nullable Text problem,
        List<Hit> hits,
        @Nullable Text truncated,
        @Nullable String searchedFor,
        boolean isNewcomer) {

    public KnowledgeSearchView {
        hits = List.copyOf(hits);
    }

    static KnowledgeSearchView empty(SearchForm form, @Nullable Text problem, boolean isNewcomer) {
        return new KnowledgeSearchView(form, problem, List.of(), null, null, isNewcomer);
    }

    /** The outcome, for screen readers. */
    public String status(Reader reader) {
        if (problem != null) {
            return reader.text(problem);
        }
        if (form.query().isEmpty()) {
            return "";
        }
        var outcome = hits.isEmpty()
                ? reader.text("knowledge.search.no-results")
                : reader.text("knowledge.search.results", "count", hits.size());
        return searchedFor == null
                ? outcome
                : reader.text("knowledge.search.searched-for", "query", searchedFor) + " " + outcome;
    }

    /**
     * A chunk that was found.
     *
     * @param place where it stands in its source
     * @param lang the language tag of its text, if its script tells it
     * @param path the chunk on its source's page
     * @param context the chunk with its neighbours, as an HTML fragment
     * @param original the URL of the original, if it can be opened
     * @param percent the score in percent
     */
    public record Hit(
            String chunk,
            String source,
            String title,
            SourceItem.Kind kind,
            Text place,
            List<Piece> snippet,
            @Nullable String lang,
            String path,
            String context,
            @Nullable String original,
            String score,
            int percent) {

        private static final int MAX_PERCENT = 100;
        private static final int MIN_PERCENT = 2;

        static List<Hit> of(List<SearchHit> hits) {
            return hits.stream().map(Hit::of).toList();
        }

        private static Hit of(SearchHit hit) {
            long percent = Math.round(hit.score() * MAX_PERCENT);
            return new Hit(
                    hit.chunk().hex(),
                    hit.source().hex(),
                    hit.sourceTitle(),
                    SourceItem.Kind.of(hit.sourceType()),
                    ChunkLocation.text(hit.label()),
                    hit.snippet(),
                    ScriptLanguage.tag(hit.content()),
                    KnowledgePaths.chunk(hit.source(), hit.chunk()),
                    KnowledgePaths.chunkContext(hit.source(), hit.chunk()),
                    KnowledgePaths.original(hit.url()),
                    String.format(Locale.ROOT, "%.2f", hit.score()),
                    Math.clamp(percent, MIN_PERCENT, MAX_PERCENT));
        }
    }
}
