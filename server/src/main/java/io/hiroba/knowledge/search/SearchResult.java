package io.hiroba.knowledge.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hits of a search.
 *
 * @param why the reason why hits are missing or of lower quality; null otherwise
 */
public record SearchResult(List<SearchHit> hits, @Nullable String why) {

    public SearchResult {
        hits = List.copyOf(hits);
    }

    public boolean truncated() {
        return why != null;
    }
}
