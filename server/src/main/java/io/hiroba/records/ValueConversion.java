package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A conversion of values of documents, and what is said of them, from one attribute's type to another's. Nothing is rounded or cut off.
 *
 * @param written how the texts are written
 */
record ValueConversion(SchemaAttribute from, ValueType to, Written written) {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final long DAY_MICROS = Duration.ofDays(1).toNanos() / 1000;

    private static final Pattern SEPARATOR = Pattern.compile("[,、，;；\n]");

    /**
     * The way in which the texts of an attribute are written.
     *
     * @param format of numbers: percentages or durations, if all texts are; null for neither
     * @param sign of amounts of money, if all have the same; null if they are not converted
     * @param dates the order of days such as {@code 8/7/2026}; null if they are not converted
     */
    record Written(
            ValueFormat.@Nullable Kind format,
            @Nullable String sign,
            @Nullable DateOrder dates) {

        static final Written PLAIN = new Written(null, null, null);
    }

    /** The value after the conversion; never null. */
    JsonNode convert(JsonNode stored) throws InvalidValueException {
        if (!from.type().element().equals(ValueType.TEXT) || !stored.isString()) {
            return convert(from.type(), to, stored);
        }
        var text = stored.stringValue();
        return switch (to) {
            case NUMERIC -> convert(from.type(), to, JSON.stringNode(number(text)));
            case DATE, DATETIME -> convert(from.type(), to, JSON.stringNode(day(text)));
            // An option may have a comma itself.
            case MULTI_SELECT -> from.isSelect() ? convert(from.type(), to, stored) : options(text);
            case TEXT, BOOL, JSONB -> convert(from.type(), to, stored);
        };
    }

    /** The same, or JSON null for a value that cannot be converted and for none. */
    JsonNode convertOrNull(JsonNode stored) {
        try {
            return stored.isNull() ? stored : convert(stored);
        } catch (InvalidValueException _) {
            return JSON.nullNode();
        }
    }

    /** The number alone, of a text that is written as all are. */
    private String number(String text) {
        var sign = written.sign();
        var bare = sign == null ? text : WrittenValues.withoutSign(text, sign);
        var format = written.format();
        return format == null ? bare : new ValueFormat(format, null).plain(bare);
    }

    /** Whether a value is the text of a day that the order of month and day matters for. */
    boolean hasOrder(JsonNode stored) {
        return to.isTime()
                && from.type() == ValueType.TEXT
                && stored.isString()
                && !DateOrder.of(stored.stringValue()).isEmpty();
    }

    private String day(String text) throws InvalidValueException {
        if (DateOrder.of(text).isEmpty()) {
            return text;
        }
        var dates = written.dates();
        if (dates == null) {
            throw new InvalidValueException(Text.of("records.transfer.date-order"));
        }
        return dates.plain(text).orElseThrow(() -> refused(to));
    }

    /** What stands between commas, each once. */
    private static JsonNode options(String text) throws InvalidValueException {
        var list = JSON.arrayNode();
        var seen = new HashSet<String>();
        for (var each : SEPARATOR.split(text, -1)) {
            var value = each.strip();
            if (!value.isEmpty() && seen.add(value)) {
                if (!SelectOption.isGood(value)) {
                    throw new InvalidValueException(Text.of("records.field.option-value"));
                }
                list.add(value);
            }
        }
        if (list.isEmpty()) {
            throw refused(ValueType.MULTI_SELECT);
        }
        return ValueType.MULTI_SELECT.stored(list);
    }

    private static JsonNode convert(ValueType from, ValueType to, JsonNode stored) throws InvalidValueException {
        if (from == to) {
            return stored;
        }
        if (from == ValueType.MULTI_SELECT) {
            return ofList(to, stored);
        }
        return from == ValueType.JSONB ? ofJson(to, stored) : scalar(from, to, stored);
    }

    /** A value of the API after the change of the attribute's type; one that cannot be converted stays. */
    JsonNode shown(JsonNode given) {
        try {
            if (given.isNull()) {
                return given;
            }
            // Conditions compare elements of lists.
            var before = from.type().element();
            var after = to.element();
            var stored = before.stored(given);
            return after.shown(before == from.type() && after == to ? convert(stored) : convert(before, after, stored));
        } catch (InvalidValueException _) {
            return given;
        }
    }

    /** The options of a list become one text, a single one of them anything that a text becomes. */
    private static JsonNode ofList(ValueType to, JsonNode stored) throws InvalidValueException {
        if (to == ValueType.JSONB) {
            return stored;
        }
        if (to == ValueType.TEXT) {
            return text(stored.valueStream().map(JsonNode::stringValue).collect(Collectors.joining(", ")));
        }
        if (stored.size() != 1) {
            throw refused(to);
        }
        return scalar(ValueType.TEXT, to, stored.get(0));
    }

    /** A value of JSON is converted as what it is. */
    private static JsonNode ofJson(ValueType to, JsonNode stored) throws InvalidValueException {
        return switch (stored.getNodeType()) {
            case STRING -> to == ValueType.TEXT ? stored : scalar(ValueType.TEXT, to, stored);
            case NUMBER -> to == ValueType.NUMERIC ? stored : scalar(ValueType.NUMERIC, to, stored);
            case BOOLEAN -> to == ValueType.BOOL ? stored : scalar(ValueType.BOOL, to, stored);
            default -> {
                if (to == ValueType.TEXT) {
                    yield text(Documents.exact().writeValueAsString(stored));
                }
                throw refused(to);
            }
        };
    }

    private static JsonNode scalar(ValueType from, ValueType to, JsonNode stored) throws InvalidValueException {
        return switch (to) {
            case TEXT -> text(written(from, stored));
            case NUMERIC -> number(from, stored);
            case BOOL -> booleanValue(from, stored);
            case DATE, DATETIME -> time(from, to, stored);
            case JSONB -> json(from, stored);
            case MULTI_SELECT -> ValueType.MULTI_SELECT.stored(JSON.arrayNode().add(written(from, stored)));
        };
    }

    private static JsonNode text(String text) throws InvalidValueException {
        return ValueType.TEXT.stored(JSON.stringNode(text));
    }

    private static String written(ValueType from, JsonNode stored) {
        return switch (from) {
            case TEXT, JSONB, MULTI_SELECT -> stored.stringValue();
            case NUMERIC -> stored.decimalValue().toPlainString();
            case DATE, DATETIME -> from.written(stored.longValue());
            case BOOL -> String.valueOf(stored.booleanValue());
        };
    }

    private static JsonNode number(ValueType from, JsonNode stored) throws InvalidValueException {
        if (from == ValueType.BOOL) {
            return JSON.numberNode(stored.booleanValue() ? BigDecimal.ONE : BigDecimal.ZERO);
        }
        var text = from == ValueType.TEXT ? WrittenValues.bareNumber(stored.stringValue()) : "";
        if (!WrittenValues.isNumber(text)) {
            throw refused(ValueType.NUMERIC);
        }
        return ValueType.NUMERIC.stored(JSON.numberNode(new BigDecimal(text)));
    }

    private static JsonNode booleanValue(ValueType from, JsonNode stored) throws InvalidValueException {
        var text = switch (from) {
            case TEXT -> stored.stringValue();
            case NUMERIC -> stored.decimalValue().stripTrailingZeros().toPlainString();
            case DATE, DATETIME, BOOL, JSONB, MULTI_SELECT -> "";
        };
        return JSON.booleanNode(WrittenValues.truth(text).orElseThrow(() -> refused(ValueType.BOOL)));
    }

    private static JsonNode time(ValueType from, ValueType to, JsonNode stored) throws InvalidValueException {
        if (from.isTime()) {
            if (to == ValueType.DATE && stored.longValue() % DAY_MICROS != 0) {
                throw refused(to);
            }
            return stored;
        }
        if (from != ValueType.TEXT) {
            throw refused(to);
        }
        return to.stored(JSON.stringNode(WrittenValues.time(stored.stringValue())));
    }

    /** A text that is an object or an array of JSON becomes that, every other one a string. */
    private static JsonNode json(ValueType from, JsonNode stored) throws InvalidValueException {
        if (from != ValueType.TEXT) {
            return from.isTime() ? text(written(from, stored)) : stored;
        }
        var text = stored.stringValue().strip();
        if (text.startsWith("{") || text.startsWith("[")) {
            try {
                return ValueType.JSONB.stored(Documents.exact().readTree(text));
            } catch (JacksonException | InvalidValueException _) {
                return stored;
            }
        }
        return stored;
    }

    private static InvalidValueException refused(ValueType to) {
        return new InvalidValueException(
                switch (to) {
                    case MULTI_SELECT -> Text.of("records.field.list");
                    case TEXT, JSONB -> Text.of("records.field.text");
                    case NUMERIC -> Text.of("records.field.number");
                    case BOOL -> Text.of("http.field.boolean");
                    case DATE -> Text.of("records.field.day");
                    case DATETIME -> Text.of("records.field.date");
                });
    }

    /**
     * The attribute as one of {@code to}, with what still makes sense of it: its default and allowed values as far as they can be
     * converted, and bounds between days and moments.
     */
    SchemaAttribute converted(short id) {
        boolean bounds = from.type().isTime() && to.isTime();
        var options = options().orElse(List.of());
        var format = written.format();
        return new SchemaAttribute(
                id,
                from.name(),
                from.title(),
                to,
                from.required(),
                from.unique(),
                initial(options),
                options,
                bounds && fits(from.min()) ? from.min() : null,
                bounds && fits(from.max()) ? from.max() : null,
                null,
                false,
                null,
                to == ValueType.MULTI_SELECT ? from.styles() : List.of(),
                to == ValueType.NUMERIC && format != null ? new ValueFormat(format, null) : null);
    }

    /** Whether all that is said of the values goes on. */
    boolean keepsConstraints() {
        var after = converted(from.id());
        return (from.initial() == null) == (after.initial() == null)
                && from.options().isEmpty() == after.options().isEmpty()
                && (from.min() == null) == (after.min() == null)
                && (from.max() == null) == (after.max() == null)
                && from.pattern() == null
                && from.format() == null
                && from.references() == null;
    }

    private boolean fits(@Nullable JsonNode bound) {
        return bound != null && (to == ValueType.DATETIME || bound.longValue() % DAY_MICROS == 0);
    }

    private Optional<List<JsonNode>> options() {
        if (from.type() == ValueType.MULTI_SELECT || to == ValueType.MULTI_SELECT) {
            // Texts of several options are none of them.
            return to == ValueType.MULTI_SELECT ? Optional.of(from.options()) : Optional.empty();
        }
        var converted = new ArrayList<JsonNode>();
        for (var option : from.options()) {
            var value = convertOrNull(option);
            if (value.isNull()) {
                return Optional.empty();
            }
            if (converted.stream().noneMatch(each -> Constraints.same(to, each, value))) {
                converted.add(value);
            }
        }
        // Nothing but true and false can be chosen of a yes or no.
        return to == ValueType.BOOL || to == ValueType.JSONB ? Optional.empty() : Optional.of(converted);
    }

    private @Nullable JsonNode initial(List<JsonNode> options) {
        if (from.initial() == null) {
            return null;
        }
        var value = convertOrNull(from.initial());
        return value.isNull()
                        || (!options.isEmpty() && options.stream().noneMatch(each -> Constraints.same(to, each, value)))
                ? null
                : value;
    }
}
