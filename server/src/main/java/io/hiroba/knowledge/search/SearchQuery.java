package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.text.Analysis;
import org.jspecify.annotations.Nullable;

/**
 * What is looked for.
 *
 * @param limit how many hits are wanted
 * @param threshold the least similarity by meaning; none means the configured one
 */
public record SearchQuery(
        String text,
        Mode mode,
        int limit,
        Filters filters,
        @Nullable Double threshold) {

    public static final int DEFAULT_LIMIT = 10;
    public static final int MAX_LIMIT = 50;
    private static final int LONGEST = 2_000;

    public SearchQuery {
        text = Analysis.clean(text).strip();
        if (text.isEmpty()) {
            throw KnowledgeProblem.invalid("query", "must not be empty");
        }
        if (text.length() > LONGEST) {
            throw KnowledgeProblem.invalid("query", "must have at most %,d characters".formatted(LONGEST));
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw KnowledgeProblem.invalid("limit", "must be between 1 and " + MAX_LIMIT);
        }
        if (threshold != null && !(threshold >= -1 && threshold <= 1)) {
            throw KnowledgeProblem.invalid("threshold", "must be between -1 and 1");
        }
    }

    /** How many passages have to hold the words, so that there is a page of hits among them: filters leave some of them only. */
    int wanted() {
        int page = Math.max(limit, DEFAULT_LIMIT);
        return filters.equals(Filters.NONE) ? page : 5 * page;
    }

    /** A hybrid search of everything. */
    public static SearchQuery of(String text) {
        return new SearchQuery(text, Mode.HYBRID, DEFAULT_LIMIT, Filters.NONE, null);
    }
}
