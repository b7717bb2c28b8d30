package io.hiroba.knowledge.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was looked for and found.
 *
 * @param problem why nothing could be looked for
 * @param truncated why there are fewer than asked for, in words
 * @param isNewcomer whether there is nothing yet that the reader could find
 */
public record SearchView(
        Asked asked,
        @Nullable String problem,
        List<HitItem> hits,
        @Nullable String truncated,
        boolean isNewcomer) {

    public SearchView {
        hits = List.copyOf(hits);
    }

    static SearchView nothing(Asked asked, @Nullable String problem, boolean isNewcomer) {
        return new SearchView(asked, problem, List.of(), null, isNewcomer);
    }

    /** What became of the search, in few words. */
    public String status() {
        if (problem != null) {
            return problem;
        }
        if (asked.query().isEmpty() || asked.isAsk()) {
            return "";
        }
        return hits.isEmpty()
                ? "Nothing found"
                : hits.size() == 1 ? "1 passage found" : hits.size() + " passages found";
    }
}
