package io.hiroba.platform.problem;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * An error for the caller: its kind, a stable code for programs, and a text that says what to do. Each feature has one
 * subclass with a factory method for each error.
 *
 * <p>It has no stack trace: it is an answer, not a defect.
 */
public abstract class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String code;
    private final transient Text detail;
    private final transient List<FieldError> fields;
    private final Duration retryAfter;

    protected Problem(Kind kind, String code, Text detail) {
        this(kind, code, detail, List.of());
    }

    protected Problem(Kind kind, String code, Text detail, List<FieldError> fields) {
        this(kind, code, detail, fields, Duration.ZERO);
    }

    protected Problem(Kind kind, String code, Text detail, Duration retryAfter) {
        this(kind, code, detail, List.of(), retryAfter);
    }

    private Problem(Kind kind, String code, Text detail, List<FieldError> fields, Duration retryAfter) {
        super(null, null, false, false);
        this.kind = kind;
        this.code = code;
        this.detail = detail;
        this.fields = List.copyOf(fields);
        this.retryAfter = retryAfter;
    }

    /** The detail of a problem with one field: its name and what is wrong with it. */
    protected static Text ofField(String field, Text message) {
        return Text.of("problem.field", "field", field, "message", message);
    }

    public Kind kind() {
        return kind;
    }

    /** A stable name such as {@code inbox.item-not-found}. */
    public String code() {
        return code;
    }

    public Text detail() {
        return detail;
    }

    /** The detail in English, for logs. */
    @Override
    public String getMessage() {
        return detail.toString();
    }

    /** How long to wait before the same request may succeed; zero where waiting does not help. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** The invalid fields of the request, if it is about fields. */
    public List<FieldError> fields() {
        return fields;
    }

    /**
     * One field of the request and what is wrong with it.
     *
     * @param message in English it goes on after the field's name, such as "must be a number"; without a full stop
     */
    public record FieldError(String field, Text message) {}

    /** The category of a problem, which maps to a status of HTTP and of gRPC. */
    public enum Kind {
        INVALID(400),
        UNAUTHENTICATED(401),
        FORBIDDEN(403),
        NOT_FOUND(404),
        METHOD_NOT_ALLOWED(405),
        CONFLICT(409),
        GONE(410),
        PRECONDITION_FAILED(412),
        TOO_LARGE(413),
        UNSUPPORTED_MEDIA_TYPE(415),
        UNPROCESSABLE(422),
        RATE_LIMITED(429),
        INTERNAL(500),
        UNAVAILABLE(503);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }

        /** What it is called at the head of an error. */
        public Text title() {
            return Text.of("problem.kind." + name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
    }
}
