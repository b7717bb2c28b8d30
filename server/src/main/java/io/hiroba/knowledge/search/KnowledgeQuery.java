package io.hiroba.knowledge.search;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.Analysis;
import org.jspecify.annotations.Nullable;

/**
 * A search query.
 *
 * @param limit the maximum number of hits
 * @param threshold the minimum similarity of vectors; null for the configured one
 */
public record KnowledgeQuery(
        String text,
        SearchMode mode,
        int limit,
        SearchFilters filters,
        @Nullable Double threshold) {

    public static final int DEFAULT_LIMIT = 10;
    public static final int MAX_LIMIT = 50;
    static final int MAX_LENGTH = 2_000;

    public KnowledgeQuery {
        text = Analysis.clean(text).strip();
        if (text.isEmpty()) {
            throw KnowledgeProblem.invalid("query", Text.of("knowledge.field.empty"));
        }
        if (text.length() > MAX_LENGTH) {
            throw KnowledgeProblem.invalid("query", Text.of("knowledge.field.query-length", "max", MAX_LENGTH));
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw KnowledgeProblem.invalid("limit", Text.of("knowledge.field.between", "min", 1, "max", MAX_LIMIT));
        }
        if (threshold != null && !(threshold >= -1 && threshold <= 1)) {
            throw KnowledgeProblem.invalid("threshold", Text.of("knowledge.field.between", "min", -1, "max", 1));
        }
    }

    /** The number of candidates that yields a page of hits: filters remove some. */
    int candidateCount() {
        int page = Math.max(limit, DEFAULT_LIMIT);
        return filters.equals(SearchFilters.NONE) ? page : 5 * page;
    }

    /** The same query for another number of hits. */
    KnowledgeQuery withLimit(int other) {
        return new KnowledgeQuery(text, mode, other, filters, threshold);
    }

    /** The same query for another text. */
    KnowledgeQuery withText(String other) {
        return new KnowledgeQuery(other, mode, limit, filters, threshold);
    }

    /** A hybrid search of everything. */
    public static KnowledgeQuery of(String text) {
        return new KnowledgeQuery(text, SearchMode.HYBRID, DEFAULT_LIMIT, SearchFilters.NONE, null);
    }
}
