package io.hiroba.records.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells of a record whether it passes a condition, by looking at its values.
 *
 * @param lists the attributes with lists
 * @param parts the colours of the records that {@code parts} lists, by their ids; empty for none
 */
record RecordOracle(Set<String> lists, Map<String, String> parts) {

    boolean passes(Condition condition, ObjectNode record) {
        return switch (condition) {
            case Condition.And(var parts) -> parts.stream().allMatch(part -> passes(part, record));
            case Condition.Or(var parts) -> parts.stream().anyMatch(part -> passes(part, record));
            case Condition.Not(var part) -> !passes(part, record);
            case Condition.Test test when test.attribute().equals("parts.color") -> passesThrough(test, record);
            case Condition.Test test -> passes(test, record.get(test.attribute()));
        };
    }

    private boolean passes(Condition.Test test, @Nullable JsonNode value) {
        var values = test.values();
        if (lists.contains(test.attribute())) {
            return passesList(test.operator(), value, values);
        }
        return switch (test.operator()) {
            case EXISTS -> value != null;
            case MISSING -> value == null;
            case NE -> value == null || compare(value, values.getFirst()) != 0;
            case NOT_IN -> value == null || values.stream().noneMatch(one -> compare(value, one) == 0);
            case EQ -> value != null && compare(value, values.getFirst()) == 0;
            case IN -> value != null && values.stream().anyMatch(one -> compare(value, one) == 0);
            case GT -> value != null && compare(value, values.getFirst()) > 0;
            case GTE -> value != null && compare(value, values.getFirst()) >= 0;
            case LT -> value != null && compare(value, values.getFirst()) < 0;
            case LTE -> value != null && compare(value, values.getFirst()) <= 0;
            case BETWEEN -> value != null && compare(value, values.get(0)) >= 0 && compare(value, values.get(1)) <= 0;
            case STARTS_WITH ->
                value != null
                        && value.stringValue().startsWith(values.getFirst().stringValue());
            case CONTAINS ->
                value != null
                        && value.stringValue()
                                .toLowerCase(Locale.ROOT)
                                .contains(values.getFirst().stringValue().toLowerCase(Locale.ROOT));
            case HAS_ALL -> throw new IllegalArgumentException("of lists only");
        };
    }

    /** Whether any of the parts passes; of a negated operator, whether none passes its counterpart. */
    private boolean passesThrough(Condition.Test test, ObjectNode record) {
        var counterpart = switch (test.operator()) {
            case NE -> Operator.EQ;
            case NOT_IN -> Operator.IN;
            case MISSING -> Operator.EXISTS;
            default -> test.operator();
        };
        var positive = new Condition.Test("名前", counterpart, test.values(), false);
        boolean any = record.path("parts")
                .valueStream()
                .map(part -> parts.getOrDefault(part.asString(), ""))
                .anyMatch(
                        color -> passes(positive, color.isEmpty() ? null : JsonNodeFactory.instance.stringNode(color)));
        return any == (counterpart == test.operator());
    }

    private static boolean passesList(Operator operator, @Nullable JsonNode value, List<JsonNode> values) {
        var has = new ArrayList<JsonNode>();
        if (value != null) {
            value.forEach(has::add);
        }
        return switch (operator) {
            case EXISTS -> value != null;
            case MISSING -> value == null;
            case EQ, IN -> values.stream().anyMatch(has::contains);
            case NE, NOT_IN -> values.stream().noneMatch(has::contains);
            default -> has.containsAll(values);
        };
    }

    static int compare(JsonNode one, JsonNode other) {
        if (one.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        if (one.isBoolean()) {
            return Boolean.compare(one.booleanValue(), other.booleanValue());
        }
        return one.stringValue().compareTo(other.stringValue());
    }
}
