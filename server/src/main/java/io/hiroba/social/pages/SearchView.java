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

    static SearchView nothing(String query, @Nullable String problem) {
        return new SearchView(query, problem, List.of(), null);
    }
}
