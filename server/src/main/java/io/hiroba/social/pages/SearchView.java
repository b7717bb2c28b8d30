package io.hiroba.social.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was looked for and found.
 *
 * @param query what was typed; empty before anything is
 * @param problem why nothing could be looked for
 * @param more the address of the next page, if there is one
 */
public record SearchView(
        String query,
        @Nullable String problem,
        List<FoundItem> items,
        @Nullable String more) {

    public SearchView {
        items = List.copyOf(items);
    }

    /** What became of the search, in few words. */
    public String status() {
        if (problem != null) {
            return problem;
        }
        if (query.isEmpty()) {
            return "";
        }
        return items.isEmpty()
                ? "Nothing found"
                : items.size() + (more == null ? " found" : " found, and there are more");
    }

    static SearchView nothing(String query, @Nullable String problem) {
        return new SearchView(query, problem, List.of(), null);
    }
}
