package io.hiroba.knowledge.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hits of a search.
 *
 * @param why why there are fewer hits than were asked for, or why they are not what they could be; none if they are
 */
public record SearchResult(List<SearchHit> hits, @Nullable String why) {

    public SearchResult {
        hits = List.copyOf(hits);
    }

    public boolean truncated() {
        return why != null;
    }
}
