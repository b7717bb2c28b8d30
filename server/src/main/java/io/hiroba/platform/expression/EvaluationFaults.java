package io.hiroba.platform.expression;

import dev.cel.runtime.CelEvaluationException;
import io.hiroba.platform.i18n.Text;
import java.util.Optional;
import java.util.regex.Pattern;

/** Says in words why an expression could not be evaluated: the library speaks of its own functions, and Java of its types. */
final class EvaluationFaults {

    private static final int MAX_SHOWN_LENGTH = 100;
    private static final Pattern KEY = Pattern.compile("key '(.*)' is not present in map", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("Error resolving field '(.*?)'", Pattern.DOTALL);
    private static final Pattern TEXT = Pattern.compile("For input string: \"(.*)\"", Pattern.DOTALL);
    private static final Pattern FUNCTION = Pattern.compile("overload for function '@?(.*?)'");

    private EvaluationFaults() {}

    /** Thrown by a function that cannot be used with the values it is given. */
    static final class Misuse extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        private final transient Text reason;

        Misuse(Text reason) {
            super(reason.toString());
            this.reason = reason;
        }
    }

    static Text of(CelEvaluationException e) {
        var message = String.valueOf(e.getMessage());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof Misuse misuse) {
                return misuse.reason;
            }
            if (cause instanceof ArithmeticException && !message.contains("by zero")) {
                return Text.of("expression.overflow");
            }
        }
        return switch (e.getErrorCode()) {
            case DIVIDE_BY_ZERO -> Text.of("expression.by-zero");
            case NUMERIC_OVERFLOW -> Text.of("expression.overflow");
            case INDEX_OUT_OF_BOUNDS -> Text.of("expression.index");
            case DUPLICATE_ATTRIBUTE -> Text.of("expression.key-twice");
            case ITERATION_BUDGET_EXCEEDED -> Text.of("expression.too-much-work");
            case ATTRIBUTE_NOT_FOUND ->
                found(KEY, message)
                        .map(key -> Text.of("expression.no-key", "key", key))
                        .or(() -> found(FIELD, message).map(key -> Text.of("expression.no-fields", "key", key)))
                        .orElseGet(() -> Text.of("expression.wrong-values"));
            case BAD_FORMAT ->
                found(TEXT, message)
                        .map(text -> Text.of("expression.bad-text", "text", text))
                        .orElseGet(() -> Text.of("expression.bad-format"));
            case OVERLOAD_NOT_FOUND, AMBIGUOUS_OVERLOAD ->
                found(FUNCTION, message)
                        .map(function -> Text.of("expression.wrong-function", "function", function.replace("_", "")))
                        .orElseGet(() -> Text.of("expression.wrong-values"));
            case INVALID_ARGUMENT, TYPE_NOT_FOUND, INTERNAL_ERROR -> Text.of("expression.wrong-values");
        };
    }

    private static Optional<String> found(Pattern pattern, String message) {
        return Optional.of(pattern.matcher(message))
                .filter(matcher -> matcher.find())
                .map(matcher -> CelLanguage.shortened(matcher.group(1), MAX_SHOWN_LENGTH));
    }
}
