package io.hiroba.activity;

import io.hiroba.platform.problem.Problem;
import java.util.List;

/** What can go wrong with cards and with the settings of what somebody is told. */
public final class ActivityProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private ActivityProblem(Kind kind, String code, String detail) {
        super(kind, "activity." + code, detail);
    }

    private ActivityProblem(String field, String message) {
        super(
                Kind.INVALID,
                "activity.invalid",
                "`%s` %s.".formatted(field, message),
                List.of(new FieldError(field, message)));
    }

    public static ActivityProblem invalid(String field, String message) {
        return new ActivityProblem(field, message);
    }

    public static ActivityProblem noSuchCard() {
        return new ActivityProblem(Kind.NOT_FOUND, "no-such-card", "You have no such card.");
    }

    public static ActivityProblem noSuchSubscription() {
        return new ActivityProblem(
                Kind.NOT_FOUND,
                "no-such-subscription",
                "This link is not complete, or not one of ours. You can turn digests off in your settings.");
    }

    public static ActivityProblem selfMute() {
        return new ActivityProblem(
                Kind.INVALID, "self-mute", "You cannot mute yourself: your own acts tell you nothing.");
    }

    public static ActivityProblem ownPost() {
        return new ActivityProblem(
                Kind.INVALID, "own-post", "This post is yours: you are told of its replies without following it.");
    }
}
