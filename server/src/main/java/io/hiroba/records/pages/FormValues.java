package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Documents;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import io.hiroba.records.WrittenValues;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Converts values between form inputs and JSON. */
final class FormValues {

    private static final Pattern PLACE = Pattern.compile("line: (\\d+), column: (\\d+)");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private FormValues() {}

    /** The value of an input; empty for a missing one. */
    static String text(SchemaAttribute attribute, @Nullable JsonNode value, Reader reader) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return "";
        }
        return switch (attribute.type()) {
            case TEXT -> value.asString();
            case NUMERIC ->
                attribute.isFormatted(ValueFormat.Kind.DURATION)
                        ? ValueFormat.duration(value.decimalValue())
                        : number(value);
            case DATE -> value.asString();
            case DATETIME -> moment(value).map(reader::localText).orElseGet(value::asString);
            case BOOL -> value.asString();
            case JSONB ->
                attribute.isAttachments()
                        ? value.valueStream()
                                .map(each -> each.path("id").asString(""))
                                .collect(Collectors.joining("\n"))
                        : Documents.exact().writerWithDefaultPrettyPrinter().writeValueAsString(value);
            case MULTI_SELECT -> value.valueStream().map(JsonNode::asString).collect(Collectors.joining("\n"));
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

    static Optional<LocalDate> day(String text) {
        try {
            return Optional.of(LocalDate.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Converts a typed value to JSON: null for an empty one. A value that does not fit the type is passed on as text,
     * for the validator to report.
     *
     * @throws RecordsProblem if it must be JSON and is not
     */
    static JsonNode json(SchemaAttribute attribute, String typed, Reader reader) {
        var format = attribute.format();
        return json(
                attribute.name(),
                attribute.isAttachments() ? ValueType.MULTI_SELECT : attribute.type(),
                format == null || attribute.type() != ValueType.NUMERIC ? typed : format.plain(typed),
                reader);
    }

    static JsonNode json(String attribute, ValueType type, String typed, Reader reader) {
        var text = lines(typed);
        if (text.isEmpty() || (type != ValueType.TEXT && text.isBlank())) {
            return NODES.nullNode();
        }
        return switch (type) {
            case TEXT -> NODES.stringNode(text);
            case NUMERIC -> number(WrittenValues.number(text));
            case DATE -> NODES.stringNode(WrittenValues.time(text));
            case DATETIME -> NODES.stringNode(reader.absolute(WrittenValues.time(text)));
            case BOOL ->
                switch (text.strip()) {
                    case "true" -> NODES.booleanNode(true);
                    case "false" -> NODES.booleanNode(false);
                    default -> NODES.stringNode(text);
                };
            case JSONB -> tree(attribute, text);
            case MULTI_SELECT -> chosen(text);
        };
    }

    /** The options of a list, one a line. */
    private static JsonNode chosen(String text) {
        var list = NODES.arrayNode();
        text.lines().map(String::strip).filter(each -> !each.isEmpty()).forEach(list::add);
        return list;
    }

    /** Forms send line breaks as CR LF. */
    static String lines(String typed) {
        return typed.replace("\r\n", "\n");
    }

    private static JsonNode number(String text) {
        return WrittenValues.isNumber(text) ? NODES.numberNode(new BigDecimal(text)) : NODES.stringNode(text);
    }

    private static JsonNode tree(String attribute, String text) {
        if (text.contains("\\u0000")) {
            throw RecordsProblem.invalid(attribute, Text.of("records.form-nul"));
        }
        try {
            return Documents.exact().readTree(text);
        } catch (JacksonException e) {
            var place = PLACE.matcher(String.valueOf(e.getMessage()));
            throw RecordsProblem.invalid(
                    attribute,
                    place.find()
                            ? Text.of("records.form-json-at", "line", place.group(1), "column", place.group(2))
                            : Text.of("records.form-json"));
        } catch (Problem refusal) {
            throw RecordsProblem.invalid(attribute, Text.of("records.form-json"));
        }
    }
}
