package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Converts values between form inputs and JSON. */
final class FormValues {

    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");
    private static final Pattern PLACE = Pattern.compile("line: (\\d+), column: (\\d+)");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private FormValues() {}

    /** The value of an input; empty for a missing one. */
    static String text(SchemaAttribute attribute, @Nullable JsonNode value, Reader clock) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return "";
        }
        return switch (attribute.type()) {
            case TEXT -> value.asString();
            case NUMERIC -> number(value);
            case DATE -> moment(value).map(clock::localText).orElseGet(value::asString);
            case BOOL -> value.asString();
            case JSONB -> Documents.exact().writerWithDefaultPrettyPrinter().writeValueAsString(value);
        };
    }

    static String number(JsonNode value) {
        var text = value.decimalValue().toPlainString();
        return text.length() > 120 ? value.decimalValue().toString() : text;
    }

    static Optional<Instant> moment(JsonNode value) {
        return moment(value.asString());
    }

    static Optional<Instant> moment(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Converts a typed value to JSON: null for an empty one. A value that does not fit the type is passed on as text,
     * for the validator to report.
     */
    static JsonNode json(SchemaAttribute attribute, String typed, Reader clock) throws InvalidValueException {
        return json(attribute.type(), typed, clock);
    }

    static JsonNode json(ValueType type, String typed, Reader clock) throws InvalidValueException {
        var text = lines(typed);
        if (text.isEmpty() || (type != ValueType.TEXT && text.isBlank())) {
            return NODES.nullNode();
        }
        return switch (type) {
            case TEXT -> NODES.stringNode(text);
            case NUMERIC -> number(text.strip());
            case DATE -> NODES.stringNode(clock.absolute(text));
            case BOOL ->
                switch (text.strip()) {
                    case "true" -> NODES.booleanNode(true);
                    case "false" -> NODES.booleanNode(false);
                    default -> NODES.stringNode(text);
                };
            case JSONB -> tree(text);
        };
    }

    /** Forms send line breaks as CR LF. */
    static String lines(String typed) {
        return typed.replace("\r\n", "\n");
    }

    private static JsonNode number(String text) {
        return NUMBER.matcher(text).matches() ? NODES.numberNode(new BigDecimal(text)) : NODES.stringNode(text);
    }

    private static JsonNode tree(String text) throws InvalidValueException {
        if (text.contains("\\u0000")) {
            throw new InvalidValueException("must not hold the character NUL");
        }
        try {
            return Documents.exact().readTree(text);
        } catch (JacksonException e) {
            var place = PLACE.matcher(String.valueOf(e.getMessage()));
            throw new InvalidValueException(
                    place.find()
                            ? "must be JSON: look at line %s, column %s".formatted(place.group(1), place.group(2))
                            : "must be JSON");
        } catch (Problem refusal) {
            throw new InvalidValueException("must be JSON");
        }
    }
}
