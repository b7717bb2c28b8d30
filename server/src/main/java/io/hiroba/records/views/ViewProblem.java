package io.hiroba.records.views;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;

/** The problems of views. */
final class ViewProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private ViewProblem(Kind kind, String code, Object... arguments) {
        super(kind, "records." + code, Text.of("records.problem." + code, arguments));
    }

    /** Also for a private view of another member. */
    static ViewProblem none() {
        return new ViewProblem(Kind.NOT_FOUND, "no-view");
    }

    static ViewProblem tooMany(int most) {
        return new ViewProblem(Kind.CONFLICT, "too-many-views", "max", most);
    }
}
