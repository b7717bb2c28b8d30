package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;

/** The problems of requests that concern no single feature. */
public final class HttpProblem extends Problem {

    private static final long serialVersionUID = 1L;

    /** About as long as another server needs to become the primary. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

    /** The key of a detail with the line and column. */
    static final String AT = "http.problem.at";

    private HttpProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "http." + code, detail, fields);
    }

    private HttpProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("http.problem." + code, arguments), List.of());
    }

    private HttpProblem(Kind kind, String code, Text detail, Duration retryAfter) {
        super(kind, "http." + code, detail, retryAfter);
    }

    /** One field or parameter of the request is not acceptable. */
    public static HttpProblem invalid(String field, Text message) {
        return new HttpProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    /** Several fields of the request are not acceptable. */
    public static HttpProblem invalid(List<FieldError> fields) {
        return new HttpProblem(Kind.INVALID, "invalid", Text.of("http.problem.invalid"), fields);
    }

    static HttpProblem malformedJson(Text detail, List<FieldError> fields) {
        return new HttpProblem(Kind.INVALID, "malformed-json", detail, fields);
    }

    /** A problem with the JSON of one line of a body, with the number of that line. */
    public static Problem onLine(long line, Problem problem) {
        if (!problem.detail().key().equals(AT)) {
            return problem;
        }
        var place = new HashMap<>(problem.detail().arguments());
        place.put("line", Long.toString(line));
        return malformedJson(new Text(AT, place), problem.fields());
    }

    static HttpProblem unknownField(String field) {
        return ofField("unknown-field", field, Text.of("http.field.unknown"));
    }

    static HttpProblem unknownParameter(String name, Collection<String> known) {
        return new HttpProblem(
                Kind.INVALID,
                "unknown-parameter",
                known.isEmpty()
                        ? Text.of("http.problem.no-parameters", "field", name)
                        : Text.of("http.problem.unknown-parameter", "field", name, "known", String.join(", ", known)),
                List.of(new FieldError(name, Text.of("http.parameter.unknown"))));
    }

    static HttpProblem repeatedParameter(String name) {
        return new HttpProblem(
                Kind.INVALID,
                "repeated-parameter",
                Text.of("http.problem.repeated-parameter", "field", name),
                List.of(new FieldError(name, Text.of("http.parameter.repeated"))));
    }

    static HttpProblem malformedNumber(String name, int maxDigits) {
        return invalid(name, Text.of("http.field.digits", "max", maxDigits));
    }

    static HttpProblem missingField(String field) {
        return ofField("missing-field", field, Text.of("http.field.required"));
    }

    private static HttpProblem ofField(String code, String field, Text message) {
        return new HttpProblem(
                Kind.INVALID,
                code,
                Text.of("http.problem." + code, "field", field),
                List.of(new FieldError(field, message)));
    }

    /** The same for all fields at fault, of which it names the first. */
    HttpProblem withFields(List<FieldError> fields) {
        return new HttpProblem(kind(), code().substring("http.".length()), detail(), fields);
    }

    static HttpProblem badText() {
        return new HttpProblem(Kind.INVALID, "bad-text");
    }

    static HttpProblem badRequest() {
        return new HttpProblem(Kind.INVALID, "bad-request");
    }

    static HttpProblem malformedBody() {
        return new HttpProblem(Kind.INVALID, "malformed-body");
    }

    static HttpProblem badCursor() {
        return ofField("bad-cursor", "after", Text.of("http.field.no-cursor"));
    }

    static HttpProblem notFound() {
        return new HttpProblem(Kind.NOT_FOUND, "not-found");
    }

    static HttpProblem methodNotAllowed(String allowed) {
        return new HttpProblem(Kind.METHOD_NOT_ALLOWED, "method-not-allowed", "allowed", allowed);
    }

    static HttpProblem tooLarge() {
        return new HttpProblem(Kind.TOO_LARGE, "body-too-large");
    }

    /** The body is of a type other than {@code accepted}, the media types that the route takes. */
    public static HttpProblem unsupportedMediaType(String... accepted) {
        return new HttpProblem(
                Kind.UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
                "accepted",
                accepted.length == 0
                        ? Text.of("http.another-type")
                        : Text.of("http.types", "types", List.of(accepted)));
    }

    static HttpProblem crossSite() {
        return new HttpProblem(Kind.FORBIDDEN, "cross-site");
    }

    static HttpProblem metricsForbidden() {
        return new HttpProblem(Kind.FORBIDDEN, "forbidden");
    }

    static HttpProblem rateLimited(Duration retryAfter) {
        return new HttpProblem(
                Kind.RATE_LIMITED,
                "rate-limited",
                Text.of("http.problem.rate-limited", "seconds", RetryAfter.seconds(retryAfter)),
                retryAfter);
    }

    static HttpProblem badIdempotencyKey() {
        return new HttpProblem(Kind.INVALID, "bad-idempotency-key");
    }

    static HttpProblem idempotencyMismatch() {
        return new HttpProblem(Kind.UNPROCESSABLE, "idempotency-mismatch");
    }

    static HttpProblem idempotencyInProgress() {
        return new HttpProblem(Kind.CONFLICT, "idempotency-in-progress");
    }

    static HttpProblem internal() {
        return new HttpProblem(Kind.INTERNAL, "internal");
    }

    static HttpProblem diskFull() {
        return new HttpProblem(Kind.UNAVAILABLE, "unavailable", Text.of("http.problem.disk-full"), RETRY_DELAY);
    }

    static HttpProblem unavailable() {
        return new HttpProblem(Kind.UNAVAILABLE, "unavailable", Text.of("http.problem.unavailable"), RETRY_DELAY);
    }
}
