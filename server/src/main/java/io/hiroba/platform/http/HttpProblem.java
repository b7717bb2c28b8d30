package io.hiroba.platform.http;

import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.List;

/** The problems of requests that concern no single feature. */
public final class HttpProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private HttpProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "http." + code, detail, fields);
    }

    private HttpProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    /** One field or parameter of the request is not acceptable. */
    public static HttpProblem invalid(String field, String message) {
        return new HttpProblem(
                Kind.INVALID, "invalid", "`%s` %s".formatted(field, message), List.of(new FieldError(field, message)));
    }

    /** Several fields of the request are not acceptable. */
    public static HttpProblem invalid(List<FieldError> fields) {
        return new HttpProblem(Kind.INVALID, "invalid", "Some fields are not acceptable.", fields);
    }

    static HttpProblem malformedJson(String detail, List<FieldError> fields) {
        return new HttpProblem(Kind.INVALID, "malformed-json", detail, fields);
    }

    static HttpProblem unknownField(String field) {
        return new HttpProblem(
                Kind.INVALID,
                "unknown-field",
                "`%s` is not a field of this request.".formatted(field),
                List.of(new FieldError(field, "is unknown")));
    }

    static HttpProblem missingField(String field) {
        return new HttpProblem(
                Kind.INVALID,
                "missing-field",
                "`%s` is required.".formatted(field),
                List.of(new FieldError(field, "is required")));
    }

    static HttpProblem badText() {
        return new HttpProblem(Kind.INVALID, "bad-text", "The request holds a character that text cannot hold.");
    }

    static HttpProblem badRequest() {
        return new HttpProblem(Kind.INVALID, "bad-request", "The request is not valid HTTP.");
    }

    static HttpProblem badCursor() {
        return new HttpProblem(
                Kind.INVALID,
                "bad-cursor",
                "`after` is not a cursor of this list: pass on `next` as it came.",
                List.of(new FieldError("after", "is not a cursor of this list")));
    }

    static HttpProblem notFound() {
        return new HttpProblem(Kind.NOT_FOUND, "not-found", "There is nothing at this address.");
    }

    static HttpProblem methodNotAllowed(String allowed) {
        return new HttpProblem(Kind.METHOD_NOT_ALLOWED, "method-not-allowed", "This address takes " + allowed + ".");
    }

    static HttpProblem tooLarge() {
        return new HttpProblem(Kind.TOO_LARGE, "body-too-large", "The request body is larger than this route takes.");
    }

    public static HttpProblem unsupportedMediaType(String accepted) {
        return new HttpProblem(
                Kind.UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "This route takes " + accepted + ".");
    }

    static HttpProblem crossSite() {
        return new HttpProblem(Kind.FORBIDDEN, "cross-site", "Another site's page may not do this with your session.");
    }

    static HttpProblem forbidden(String detail) {
        return new HttpProblem(Kind.FORBIDDEN, "forbidden", detail);
    }

    static HttpProblem rateLimited(Duration retryAfter) {
        return new HttpProblem(
                Kind.RATE_LIMITED,
                "rate-limited",
                "Too many requests. Try again in %d s.".formatted(RetryAfter.seconds(retryAfter)));
    }

    static HttpProblem badIdempotencyKey() {
        return new HttpProblem(
                Kind.INVALID, "bad-idempotency-key", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
    }

    static HttpProblem idempotencyMismatch() {
        return new HttpProblem(
                Kind.UNPROCESSABLE,
                "idempotency-mismatch",
                "This Idempotency-Key was used for another request. Take a new key for a new request.");
    }

    static HttpProblem idempotencyInProgress() {
        return new HttpProblem(
                Kind.CONFLICT,
                "idempotency-in-progress",
                "The first request with this Idempotency-Key is still under way. Try again shortly.");
    }

    static HttpProblem internal() {
        return new HttpProblem(Kind.INTERNAL, "internal", "Something went wrong on our side.");
    }

    static HttpProblem unavailable() {
        return new HttpProblem(
                Kind.UNAVAILABLE, "unavailable", "The server cannot answer right now. Try again shortly.");
    }
}
