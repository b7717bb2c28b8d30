package io.hiroba.knowledge.pages;

import io.hiroba.platform.problem.Problem;

/** What pages do with what is refused. */
final class Refusals {

    private Refusals() {}

    /** Whether a refusal is shown in the form that was refused; the others are pages of their own. */
    static boolean belongToForm(Problem refusal) {
        return switch (refusal.kind()) {
            case INVALID,
                    CONFLICT,
                    PRECONDITION_FAILED,
                    TOO_LARGE,
                    UNPROCESSABLE,
                    RATE_LIMITED,
                    UNSUPPORTED_MEDIA_TYPE,
                    UNAVAILABLE -> true;
            case UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, METHOD_NOT_ALLOWED, INTERNAL -> false;
        };
    }
}
