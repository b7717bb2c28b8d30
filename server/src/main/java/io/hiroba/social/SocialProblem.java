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

    private SocialProblem(Kind kind, String code, Duration retryAfter, Object... arguments) {
        super(kind, "social." + code, Text.of("social.problem." + code, arguments), retryAfter);
    }

    private SocialProblem(Kind kind, String code) {
        this(kind, code, Duration.ZERO);
    }

    public static SocialProblem invalid(String field, Text message) {
        return new SocialProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static SocialProblem postNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "post-not-found");
    }

    /** The post was edited since it was read. */
    static SocialProblem otherVersion() {
        return new SocialProblem(Kind.PRECONDITION_FAILED, "other-version");
    }

    public static SocialProblem threadNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "thread-not-found");
    }

    public static SocialProblem messageNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "message-not-found");
    }

    /** The others have left, or their accounts are deleted. */
    public static SocialProblem threadAlone() {
        return new SocialProblem(Kind.CONFLICT, "thread-alone");
    }

    /** Whoever does not want messages of somebody blocks them. */
    public static SocialProblem pairNotLeft() {
        return new SocialProblem(Kind.CONFLICT, "pair-not-left");
    }

    public static SocialProblem userNotFound() {
        return new SocialProblem(Kind.NOT_FOUND, "user-not-found");
    }

    public static SocialProblem repliesNotAllowed() {
        return new SocialProblem(Kind.FORBIDDEN, "replies-not-allowed");
    }

    public static SocialProblem likesNotAllowed() {
        return new SocialProblem(Kind.FORBIDDEN, "likes-not-allowed");
    }

    public static SocialProblem alreadyLiked() {
        return new SocialProblem(Kind.CONFLICT, "already-liked");
    }

    public static SocialProblem notLiked() {
        return new SocialProblem(Kind.NOT_FOUND, "not-liked");
    }

    /** A search query that is empty or too large; {@code detail} says what to do. */
    public static SocialProblem badQuery(Text detail) {
        return new SocialProblem(Kind.INVALID, "bad-query", detail, List.of());
    }

    public static SocialProblem selfFollow() {
        return new SocialProblem(Kind.INVALID, "self-follow");
    }

    public static SocialProblem alreadyFollowing() {
        return new SocialProblem(Kind.CONFLICT, "already-following");
    }

    public static SocialProblem notFollowing() {
        return new SocialProblem(Kind.NOT_FOUND, "not-following");
    }

    /** The same problem whoever blocked whom. */
    public static SocialProblem blocked() {
        return new SocialProblem(Kind.FORBIDDEN, "blocked");
    }

    public static SocialProblem selfBlock() {
        return new SocialProblem(Kind.INVALID, "self-block");
    }

    public static SocialProblem adminNotBlocked() {
        return new SocialProblem(Kind.FORBIDDEN, "admin-not-blocked");
    }

    public static SocialProblem alreadyBlocked() {
        return new SocialProblem(Kind.CONFLICT, "already-blocked");
    }

    public static SocialProblem notBlocked() {
        return new SocialProblem(Kind.NOT_FOUND, "not-blocked");
    }

    static SocialProblem tooOften(Duration wait) {
        return new SocialProblem(Kind.RATE_LIMITED, "too-often", wait, "seconds", Math.max(1, wait.toSeconds()));
    }
}
