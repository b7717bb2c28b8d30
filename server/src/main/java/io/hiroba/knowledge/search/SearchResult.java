package io.hiroba.knowledge.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found.
 *
 * @param why why there are fewer hits than were asked for, or why they are not what they could be; none if they are
 */
public record SearchResult(List<Hit> hits, @Nullable String why) {

    public SearchResult {
        hits = List.copyOf(hits);
    }

    public boolean truncated() {
        return why != null;
    }
}
