package io.hiroba.records.saved;

import io.hiroba.platform.problem.Problem;

/** What can go wrong with saved queries. */
final class SavedProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SavedProblem(Kind kind, String code, String detail) {
        super(kind, "records." + code, detail);
    }

    /** Also for another's that is not shared. */
    static SavedProblem none() {
        return new SavedProblem(Kind.NOT_FOUND, "no-saved-query", "There is no such saved query.");
    }

    static SavedProblem notYours() {
        return new SavedProblem(Kind.FORBIDDEN, "not-your-query", "Only who saved the query changes or deletes it.");
    }

    static SavedProblem tooMany(int most) {
        return new SavedProblem(
                Kind.CONFLICT,
                "too-many-queries",
                "You have saved %d queries in this project: delete one first.".formatted(most));
    }

    static SavedProblem tooBroad(int most) {
        return new SavedProblem(
                Kind.CONFLICT,
                "too-broad",
                "More than %,d records match already: ask for less, or do without being told.".formatted(most));
    }
}
