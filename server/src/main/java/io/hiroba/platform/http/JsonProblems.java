package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.problem.RefusedValueException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Converts Jackson's exceptions to problems that name the field and the line, but no classes. */
final class JsonProblems {

    private JsonProblems() {}

    static Problem of(JacksonException e) {
        if (e.getCause() instanceof Problem problem) {
            return problem;
        }
        var field = field(e);
        return switch (e) {
            case UnrecognizedPropertyException unknown -> HttpProblem.unknownField(field);
            // Of an element of a list the path says all, and the property is that of the list.
            case InvalidNullException missing ->
                HttpProblem.missingField(
                        field.endsWith("]")
                                ? field
                                : field(missing, missing.getPropertyName().getSimpleName()));
            case ValueInstantiationException refused
            when refused.getCause() instanceof RefusedValueException value ->
                HttpProblem.invalid(field.isEmpty() ? "body" : field, value.reason());
            case InvalidFormatException format -> wrongType(e, field, format.getTargetType());
            case MismatchedInputException missing
            when missing.getOriginalMessage().startsWith("Missing required creator property") ->
                HttpProblem.missingField(field);
            case MismatchedInputException mismatch -> wrongType(e, field, mismatch.getTargetType());
            // A number that the type of the field cannot hold.
            case InputCoercionException _
            when !field.isEmpty() -> ofField(e, field, Text.of("http.field.number-range"));
            default -> HttpProblem.malformedJson(place(e, Text.of("http.problem.malformed-json")), List.of());
        };
    }

    private static Problem wrongType(JacksonException e, String field, Class<?> type) {
        if (field.isEmpty()) {
            return HttpProblem.malformedJson(Text.of("http.problem.wrong-body", "type", name(type)), List.of());
        }
        return ofField(e, field, Text.of("http.field.type", "type", name(type)));
    }

    private static Problem ofField(JacksonException e, String field, Text message) {
        return HttpProblem.malformedJson(
                place(e, Text.of("problem.field", "field", field, "message", message)),
                List.of(new FieldError(field, message)));
    }

    /** The detail with the line and column, where they are known. */
    private static Text place(JacksonException e, Text detail) {
        var location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? detail
                : Text.of(
                        HttpProblem.AT,
                        "detail",
                        detail,
                        "line",
                        Integer.toString(location.getLineNr()),
                        "column",
                        Integer.toString(location.getColumnNr()));
    }

    private static String field(JacksonException e, String property) {
        var field = field(e);
        return field.equals(property) || field.endsWith("." + property) || property.isEmpty()
                ? field
                : field.isEmpty() ? property : field + "." + property;
    }

    private static String field(JacksonException e) {
        var path = new StringBuilder();
        for (var step : e.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.toString();
    }

    private static Text name(Class<?> type) {
        if (type == null) {
            return Text.of("http.type.other");
        } else if (type == String.class) {
            return Text.of("http.type.text");
        } else if (type == boolean.class || type == Boolean.class) {
            return Text.of("http.type.boolean");
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return Text.of("http.type.number");
        } else if (type.isArray() || Iterable.class.isAssignableFrom(type)) {
            return Text.of("http.type.list");
        } else if (type.getPackageName().startsWith("java.time")) {
            return Text.of("http.type.time");
        } else if (type.isEnum()) {
            return Text.of(
                    "http.type.one-of",
                    "values",
                    List.of(type.getEnumConstants()).toString());
        }
        return Text.of("http.type.object");
    }
}
