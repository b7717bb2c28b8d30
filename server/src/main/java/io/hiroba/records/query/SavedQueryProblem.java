package io.hiroba.records.query;

import io.hiroba.platform.problem.Problem;

/** The problems of saved queries. */
final class SavedQueryProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SavedQueryProblem(Kind kind, String code, String detail) {
        super(kind, "records." + code, detail);
    }

    /** Also for a query of another member that is not shared. */
    static SavedQueryProblem none() {
        return new SavedQueryProblem(Kind.NOT_FOUND, "no-saved-query", "There is no such saved query.");
    }

    static SavedQueryProblem notYours() {
        return new SavedQueryProblem(
                Kind.FORBIDDEN, "not-your-query", "Only the owner of a saved query can change or delete it.");
    }

    static SavedQueryProblem tooMany(int most) {
        return new SavedQueryProblem(
                Kind.CONFLICT,
                "too-many-queries",
                "You have saved %d queries in this project: delete one first.".formatted(most));
    }

    static SavedQueryProblem tooBroad(int most) {
        return new SavedQueryProblem(
                Kind.CONFLICT,
                "too-broad",
                "More than %,d records match already: narrow the query, or turn notifications off.".formatted(most));
    }
}
