package io.hiroba.social;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;

/** A problem with a post, like, follow, block or search. */
public final class SocialProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SocialProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "social." + code, detail, fields);
    }

    private SocialProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "social." + code, detail, retryAfter);
    }

    private SocialProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, Duration.ZERO);
    }

    public static SocialProblem invalid(String field, Text message) {
        return new SocialProblem(Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static SocialProblem invalid(String field, String message) {
        return invalid(field, Text.verbatim(message));
    }

    public static SocialProblem postNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "post-not-found", "There is no such post.");
    }

    public static SocialProblem userNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "user-not-found", "There is no such user.");
    }

    public static SocialProblem repliesNotAllowed() {
        return new SocialProblem(Kind.FORBIDDEN, "replies-not-allowed", "Replies to this post are turned off.");
    }

    public static SocialProblem likesNotAllowed() {
        return new SocialProblem(Kind.FORBIDDEN, "likes-not-allowed", "Likes of this post are turned off.");
    }

    public static SocialProblem alreadyLiked() {
        return new SocialProblem(Kind.CONFLICT, "already-liked", "You already like this post.");
    }

    public static SocialProblem notLiked() {
        return new SocialProblem(Kind.NOT_FOUND, "not-liked", "You have not liked this post.");
    }

    /** A search query that is empty or too large; {@code detail} says what to do. */
    public static SocialProblem badQuery(String detail) {
        return new SocialProblem(Kind.INVALID, "bad-query", detail);
    }

    public static SocialProblem selfFollow() {
        return new SocialProblem(Kind.INVALID, "self-follow", "You cannot follow yourself.");
    }

    public static SocialProblem alreadyFollowing() {
        return new SocialProblem(Kind.CONFLICT, "already-following", "You already follow this user.");
    }

    public static SocialProblem notFollowing() {
        return new SocialProblem(Kind.NOT_FOUND, "not-following", "You do not follow this user.");
    }

    /** The same problem whoever blocked whom. */
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
        return new SocialProblem(Kind.CONFLICT, "already-blocked", "You have already blocked this user.");
    }

    public static SocialProblem notBlocked() {
        return new SocialProblem(Kind.NOT_FOUND, "not-blocked", "You have not blocked this user.");
    }

    static SocialProblem tooOften(Duration wait) {
        return new SocialProblem(
                Kind.RATE_LIMITED,
                "too-often",
                "Too many requests in the last hour. Try again in %d s.".formatted(Math.max(1, wait.toSeconds())),
                wait);
    }
}
