package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.search.SearchHit;
import io.hiroba.platform.text.Passage.Piece;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The search page: the form and the hits.
 *
 * @param problem why the search was refused
 * @param truncated why there are fewer hits than asked for
 * @param isNewcomer whether the reader has nothing to search yet
 */
public record KnowledgeSearchView(
        SearchForm form,
        @Nullable String problem,
        List<Hit> hits,
        @Nullable String truncated,
        boolean isNewcomer) {

    public KnowledgeSearchView {
        hits = List.copyOf(hits);
    }

    static KnowledgeSearchView empty(SearchForm form, @Nullable String problem, boolean isNewcomer) {
        return new KnowledgeSearchView(form, problem, List.of(), null, isNewcomer);
    }

    /** The outcome, for screen readers. */
    public String status() {
        if (problem != null) {
            return problem;
        }
        if (form.query().isEmpty() || form.isAsk()) {
            return "";
        }
        return hits.isEmpty() ? "No results" : hits.size() == 1 ? "1 result" : hits.size() + " results";
    }

    /**
     * A chunk that was found.
     *
     * @param path the chunk on its source's page
     * @param context the chunk with its neighbours, as an HTML fragment
     * @param original the URL of the original, if it can be opened
     * @param percent the score as a share of the best one's
     */
    public record Hit(
            String chunk,
            String source,
            String title,
            SourceItem.Kind kind,
            String label,
            List<Piece> snippet,
            String path,
            String context,
            @Nullable String original,
            String score,
            int percent) {

        private static final int MAX_PERCENT = 100;
        private static final int MIN_PERCENT = 2;

        static List<Hit> of(List<SearchHit> hits) {
            double best = hits.stream().mapToDouble(SearchHit::score).max().orElse(0);
            return hits.stream().map(hit -> of(hit, best)).toList();
        }

        private static Hit of(SearchHit hit, double best) {
            long percent = best > 0 ? Math.round(hit.score() / best * MAX_PERCENT) : 0;
            return new Hit(
                    hit.chunk().hex(),
                    hit.source().hex(),
                    hit.sourceTitle(),
                    SourceItem.Kind.of(hit.sourceType()),
                    hit.label(),
                    hit.snippet(),
                    KnowledgePaths.chunk(hit.source(), hit.chunk()),
                    KnowledgePaths.chunkContext(hit.source(), hit.chunk()),
                    KnowledgePaths.original(hit.url()),
                    String.format(Locale.ROOT, "%.2f", hit.score()),
                    Math.clamp(percent, MIN_PERCENT, MAX_PERCENT));
        }
    }
}
