package io.hiroba.records.query;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import io.hiroba.records.ValueType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells of a record whether it passes a condition, by looking at its values.
 *
 * @param types the types of attributes, and of those that a reference leads to
 * @param targets the values of the records that {@code ref} and {@code parts} refer to, by their ids
 * @param me the id of the caller
 */
record RecordOracle(Map<String, ValueType> types, Map<String, ObjectNode> targets, String me) {

    private static final Comparator<JsonNode> NUMBERS_BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    boolean passes(Condition condition, ObjectNode record) {
        return switch (condition) {
            case Condition.And(var parts) -> parts.stream().allMatch(part -> passes(part, record));
            case Condition.Or(var parts) -> parts.stream().anyMatch(part -> passes(part, record));
            case Condition.Not(var part) -> !passes(part, record);
            case Condition.Test test ->
                test.attribute().contains(".")
                        ? passesThrough(test, record)
                        : passes(test, test.operator(), record.get(test.attribute()));
            case Condition.OfRecord field -> throw new IllegalArgumentException("not of the model: " + field);
        };
    }

    /** Whether any of the records that are referred to passes; of a negated operator, whether none passes its counterpart. */
    private boolean passesThrough(Condition.Test test, ObjectNode record) {
        int point = test.attribute().indexOf('.');
        var reference = record.path(test.attribute().substring(0, point));
        var name = test.attribute().substring(point + 1);
        var counterpart = switch (test.operator()) {
            case NE -> Operator.EQ;
            case NOT_IN -> Operator.IN;
            case MISSING -> Operator.EXISTS;
            case NOT_CONTAINS -> Operator.CONTAINS;
            default -> test.operator();
        };
        var ids = reference.isArray() ? reference.valueStream() : Stream.of(reference);
        boolean any = ids.map(id -> targets.get(id.asString("")))
                .filter(Objects::nonNull)
                .anyMatch(target -> passes(test, counterpart, target.get(name)));
        return any == (counterpart == test.operator());
    }

    private boolean passes(Condition.Test test, Operator operator, @Nullable JsonNode value) {
        var type = Objects.requireNonNull(types.get(test.attribute()));
        var values = test.values().stream().map(each -> meant(test, type, each)).toList();
        if (operator == Operator.EXISTS || operator == Operator.MISSING) {
            return (value == null) == (operator == Operator.MISSING);
        }
        if (type == ValueType.MULTI_SELECT) {
            return passesList(
                    operator, value == null ? List.of() : value.valueStream().toList(), values);
        }
        Comparator<JsonNode> by = (one, other) -> compare(type, one, other);
        return switch (operator) {
            case NE -> value == null || by.compare(value, values.getFirst()) != 0;
            case NOT_IN -> value == null || values.stream().noneMatch(one -> by.compare(value, one) == 0);
            case EQ -> value != null && by.compare(value, values.getFirst()) == 0;
            case IN -> value != null && values.stream().anyMatch(one -> by.compare(value, one) == 0);
            case GT -> value != null && by.compare(value, values.getFirst()) > 0;
            case GTE -> value != null && by.compare(value, values.getFirst()) >= 0;
            case LT -> value != null && by.compare(value, values.getFirst()) < 0;
            case LTE -> value != null && by.compare(value, values.getFirst()) <= 0;
            case BETWEEN ->
                value != null && by.compare(value, values.get(0)) >= 0 && by.compare(value, values.get(1)) <= 0;
            case STARTS_WITH ->
                value != null
                        && value.stringValue().startsWith(values.getFirst().stringValue());
            case CONTAINS -> value != null && contains(type, value, values.getFirst());
            case NOT_CONTAINS -> value == null || !contains(type, value, values.getFirst());
            case WITHIN ->
                value != null && within(type, value, values.getFirst().stringValue());
            case HAS_ALL, EXISTS, MISSING -> throw new IllegalArgumentException("handled before");
        };
    }

    private static boolean within(ValueType type, JsonNode value, String settled) {
        var parts = settled.split("/", 3);
        var day = type == ValueType.DATE
                ? LocalDate.parse(value.stringValue())
                : LocalDate.ofInstant(moment(value), ZoneId.of(parts[2]));
        return !day.isBefore(LocalDate.parse(parts[0])) && !day.isAfter(LocalDate.parse(parts[1]));
    }

    /** What a value of a condition means: of a query string, a text; of people, the caller; of ids, any spelling. */
    private JsonNode meant(Condition.Test test, ValueType type, JsonNode value) {
        var name = test.attribute();
        if (List.of("boss", "who", "made_by", "changed_by", "ref.keeper", "parts.keeper")
                .contains(name)) {
            var text = value.stringValue();
            return JsonNodeFactory.instance.stringNode(
                    text.equals("me") ? me : Ids.isId(text) ? text.toUpperCase(Locale.ROOT) : text);
        }
        if (name.equals("ref") || name.equals("parts")) {
            return JsonNodeFactory.instance.stringNode(value.stringValue().toLowerCase(Locale.ROOT));
        }
        return test.asText() && type != ValueType.TEXT && !type.isTime() && type != ValueType.MULTI_SELECT
                ? Json.exact().readTree(value.stringValue())
                : value;
    }

    private static boolean contains(ValueType type, JsonNode value, JsonNode part) {
        return type == ValueType.JSONB
                ? holds(value, part)
                        || (value.isArray()
                                && part.isValueNode()
                                && value.valueStream().anyMatch(one -> same(one, part)))
                : value.stringValue()
                        .toLowerCase(Locale.ROOT)
                        .contains(part.stringValue().toLowerCase(Locale.ROOT));
    }

    /**
     * Whether {@code part} is in {@code value}: of objects each property, of arrays each element. An array has a single value in it, too,
     * but no object or array that is not in an array itself, as PostgreSQL has it.
     */
    private static boolean holds(JsonNode value, JsonNode part) {
        if (part.isObject()) {
            return value.isObject()
                    && part.properties().stream()
                            .allMatch(each ->
                                    value.has(each.getKey()) && holds(value.path(each.getKey()), each.getValue()));
        }
        return part.isArray()
                ? value.isArray()
                        && part.valueStream()
                                .allMatch(each -> value.valueStream().anyMatch(one -> holds(one, each)))
                : same(value, part);
    }

    private static boolean passesList(Operator operator, List<JsonNode> has, List<JsonNode> values) {
        return switch (operator) {
            case EQ, IN -> values.stream().anyMatch(has::contains);
            case NE, NOT_IN -> values.stream().noneMatch(has::contains);
            default -> has.containsAll(values);
        };
    }

    /** Whether two values are equal: 1 and 1.0 are, wherever they stand. */
    static boolean same(JsonNode one, JsonNode other) {
        return one.equals(NUMBERS_BY_VALUE, other);
    }

    static int compare(ValueType type, JsonNode one, JsonNode other) {
        return switch (type) {
            case NUMERIC -> one.decimalValue().compareTo(other.decimalValue());
            case BOOL -> Boolean.compare(one.booleanValue(), other.booleanValue());
            case DATE, DATETIME -> moment(one).compareTo(moment(other));
            case TEXT -> Arrays.compare(points(one), points(other));
            case JSONB, MULTI_SELECT -> same(one, other) ? 0 : 1;
        };
    }

    /** Texts are ordered by the numbers of their characters, of which UTF-16 has some in two halves. */
    private static int[] points(JsonNode text) {
        return text.stringValue().codePoints().toArray();
    }

    static Instant moment(JsonNode value) {
        var text = value.stringValue();
        return text.length() == 10
                ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                : OffsetDateTime.parse(text).toInstant();
    }

    /** The first 500 characters of a text, by which it is sorted; another value as it is. */
    static JsonNode key(JsonNode value) {
        return value.isString()
                        && value.stringValue()
                                        .codePointCount(0, value.stringValue().length())
                                > 500
                ? JsonNodeFactory.instance.stringNode(
                        value.stringValue().substring(0, value.stringValue().offsetByCodePoints(0, 500)))
                : value;
    }
}
