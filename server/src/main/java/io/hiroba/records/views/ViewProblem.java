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

    /** Also for one that has expired, was revoked, or whose sharer lost access. */
    static ViewProblem noLink() {
        return new ViewProblem(Kind.NOT_FOUND, "no-link");
    }

    static ViewProblem tooManyLinks(int most) {
        return new ViewProblem(Kind.CONFLICT, "too-many-links", "max", most);
    }

    /** A view whose links others have made, with their rights. */
    static ViewProblem sharedByOthers() {
        return new ViewProblem(Kind.CONFLICT, "view-shared");
    }

    static ViewProblem noDashboard() {
        return new ViewProblem(Kind.NOT_FOUND, "no-dashboard");
    }

    static ViewProblem tooManyDashboards(int most) {
        return new ViewProblem(Kind.CONFLICT, "too-many-dashboards", "max", most);
    }

    static ViewProblem tooMany(int most) {
        return new ViewProblem(Kind.CONFLICT, "too-many-views", "max", most);
    }
}
