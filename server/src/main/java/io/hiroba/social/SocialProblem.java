package io.hiroba.social;

import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;

/** What can go wrong with posts, likes, follows and blocks. */
public final class SocialProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SocialProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "social." + code, detail, retryAfter);
    }

    private SocialProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, Duration.ZERO);
    }

    private SocialProblem(String field, String message) {
        super(
                Kind.INVALID,
                "social.invalid",
                "`%s` %s.".formatted(field, message),
                List.of(new FieldError(field, message)));
    }

    public static SocialProblem invalid(String field, String message) {
        return new SocialProblem(field, message);
    }

    public static SocialProblem postNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "post-not-found", "There is no such post.");
    }

    public static SocialProblem userNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "user-not-found", "There is no such user.");
    }

    public static SocialProblem repliesNotAllowed() {
        return new SocialProblem(Kind.FORBIDDEN, "replies-not-allowed", "This post takes no replies.");
    }

    public static SocialProblem likesNotAllowed() {
        return new SocialProblem(Kind.FORBIDDEN, "likes-not-allowed", "This post takes no likes.");
    }

    public static SocialProblem alreadyLiked() {
        return new SocialProblem(Kind.CONFLICT, "already-liked", "You like this post already.");
    }

    public static SocialProblem notLiked() {
        return new SocialProblem(Kind.NOT_FOUND, "not-liked", "You do not like this post.");
    }

    /** A search that asks for nothing or for too much; {@code detail} says what to do. */
    public static SocialProblem badQuery(String detail) {
        return new SocialProblem(Kind.INVALID, "bad-query", detail);
    }

    public static SocialProblem selfFollow() {
        return new SocialProblem(Kind.INVALID, "self-follow", "You cannot follow yourself.");
    }

    public static SocialProblem alreadyFollowing() {
        return new SocialProblem(Kind.CONFLICT, "already-following", "You follow them already.");
    }

    public static SocialProblem notFollowing() {
        return new SocialProblem(Kind.NOT_FOUND, "not-following", "You do not follow them.");
    }

    /** One answer whoever blocked whom. */
    public static SocialProblem blocked() {
        return new SocialProblem(Kind.FORBIDDEN, "blocked", "One of you has blocked the other.");
    }

    public static SocialProblem selfBlock() {
        return new SocialProblem(Kind.INVALID, "self-block", "You cannot block yourself.");
    }

    public static SocialProblem adminNotBlocked() {
        return new SocialProblem(Kind.FORBIDDEN, "admin-not-blocked", "An admin cannot be blocked.");
    }

    public static SocialProblem alreadyBlocked() {
        return new SocialProblem(Kind.CONFLICT, "already-blocked", "You have blocked them already.");
    }

    public static SocialProblem notBlocked() {
        return new SocialProblem(Kind.NOT_FOUND, "not-blocked", "You have not blocked them.");
    }

    static SocialProblem tooOften(Duration wait) {
        return new SocialProblem(
                Kind.RATE_LIMITED,
                "too-often",
                "You have done this very often in the last hour. Try again in %d s."
                        .formatted(Math.max(1, wait.toSeconds())),
                wait);
    }
}
