package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;

/** The problems of saved queries. */
final class SavedQueryProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SavedQueryProblem(Kind kind, String code, Object... arguments) {
        super(kind, "records." + code, Text.of("records.problem." + code, arguments));
    }

    /** Also for a query of another member that is not shared. */
    static SavedQueryProblem none() {
        return new SavedQueryProblem(Kind.NOT_FOUND, "no-saved-query");
    }

    static SavedQueryProblem notYours() {
        return new SavedQueryProblem(Kind.FORBIDDEN, "not-your-query");
    }

    static SavedQueryProblem tooMany(int most) {
        return new SavedQueryProblem(Kind.CONFLICT, "too-many-queries", "max", most);
    }

    static SavedQueryProblem tooBroad(int most) {
        return new SavedQueryProblem(Kind.CONFLICT, "too-broad", "max", most);
    }
}
