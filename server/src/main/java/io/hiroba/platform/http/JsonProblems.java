package io.hiroba.platform.http;

import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.List;
import tools.jackson.core.JacksonException;
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
            case InvalidNullException missing ->
                HttpProblem.missingField(
                        field(missing, missing.getPropertyName().getSimpleName()));
            case ValueInstantiationException refused
            when refused.getCause() instanceof IllegalArgumentException reason ->
                HttpProblem.invalid(field.isEmpty() ? "body" : field, String.valueOf(reason.getMessage()));
            case InvalidFormatException format -> wrongType(e, field, format.getTargetType());
            case MismatchedInputException missing
            when missing.getOriginalMessage().startsWith("Missing required creator property") ->
                HttpProblem.missingField(field);
            case MismatchedInputException mismatch -> wrongType(e, field, mismatch.getTargetType());
            default -> HttpProblem.malformedJson("The body is not valid JSON%s.".formatted(place(e)), List.of());
        };
    }

    private static Problem wrongType(JacksonException e, String field, Class<?> type) {
        if (field.isEmpty()) {
            return HttpProblem.malformedJson("The body must be %s.".formatted(name(type)), List.of());
        }
        var message = "must be " + name(type);
        return HttpProblem.malformedJson(
                "`%s` %s%s.".formatted(field, message, place(e)), List.of(new FieldError(field, message)));
    }

    private static String place(JacksonException e) {
        var location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? ""
                : " (line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr());
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

    private static String name(Class<?> type) {
        if (type == null) {
            return "of another type";
        } else if (type == String.class) {
            return "a text";
        } else if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a number";
        } else if (type.isArray() || Iterable.class.isAssignableFrom(type)) {
            return "a list";
        } else if (type.getPackageName().startsWith("java.time")) {
            return "a time such as 2026-01-31T12:00:00.000Z";
        } else if (type.isEnum()) {
            return "one of " + List.of(type.getEnumConstants());
        }
        return "an object";
    }
}
