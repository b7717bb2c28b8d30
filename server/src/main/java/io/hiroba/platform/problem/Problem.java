package io.hiroba.platform.problem;

import java.time.Duration;
import java.util.List;

/**
 * An error for the caller: its kind, a stable code for programs, and a sentence that says what to do. Each feature has one
 * subclass with a factory method for each error.
 *
 * <p>It has no stack trace: it is an answer, not a defect.
 */
public abstract class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String code;
    private final transient List<FieldError> fields;
    private final Duration retryAfter;

    protected Problem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    protected Problem(Kind kind, String code, String detail, List<FieldError> fields) {
        this(kind, code, detail, fields, Duration.ZERO);
    }

    protected Problem(Kind kind, String code, String detail, Duration retryAfter) {
        this(kind, code, detail, List.of(), retryAfter);
    }

    private Problem(Kind kind, String code, String detail, List<FieldError> fields, Duration retryAfter) {
        super(detail, null, false, false);
        this.kind = kind;
        this.code = code;
        this.fields = List.copyOf(fields);
        this.retryAfter = retryAfter;
    }

    public Kind kind() {
        return kind;
    }

    /** A stable name such as {@code inbox.item-not-found}. */
    public String code() {
        return code;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    /** How long to wait before the same request may succeed; zero where waiting does not help. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** The invalid fields of the request, if it is about fields. */
    public List<FieldError> fields() {
        return fields;
    }

    /** One field of the request and what is wrong with it. */
    public record FieldError(String field, String message) {}

    /** The category of a problem, which maps to a status of HTTP and of gRPC. */
    public enum Kind {
        INVALID(400, "Invalid request"),
        UNAUTHENTICATED(401, "Not signed in"),
        FORBIDDEN(403, "Not allowed"),
        NOT_FOUND(404, "Not found"),
        METHOD_NOT_ALLOWED(405, "Method not allowed"),
        CONFLICT(409, "Conflict"),
        PRECONDITION_FAILED(412, "Changed in the meantime"),
        TOO_LARGE(413, "Too large"),
        UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
        UNPROCESSABLE(422, "Cannot be processed"),
        RATE_LIMITED(429, "Too many requests"),
        INTERNAL(500, "Internal error"),
        UNAVAILABLE(503, "Temporarily unavailable");

        private final int status;
        private final String title;

        Kind(int status, String title) {
            this.status = status;
            this.title = title;
        }

        public int status() {
            return status;
        }

        public String title() {
            return title;
        }
    }
}
