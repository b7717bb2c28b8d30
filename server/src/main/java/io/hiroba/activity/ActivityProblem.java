package io.hiroba.activity;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** The problems of cards, notification settings, mutes and follows. */
final class ActivityProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private ActivityProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "activity." + code, detail, fields);
    }

    private ActivityProblem(Kind kind, String code) {
        super(kind, "activity." + code, Text.of("activity.problem." + code));
    }

    static ActivityProblem invalid(String field, Text message) {
        return new ActivityProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    static ActivityProblem noSuchCard() {
        return new ActivityProblem(Kind.NOT_FOUND, "no-such-card");
    }

    static ActivityProblem noSuchSubscription() {
        return new ActivityProblem(Kind.NOT_FOUND, "no-such-subscription");
    }

    static ActivityProblem selfMute() {
        return new ActivityProblem(Kind.INVALID, "self-mute");
    }

    static ActivityProblem ownPost() {
        return new ActivityProblem(Kind.INVALID, "own-post");
    }
}
