package io.hiroba.records.query;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A parsed filter: names are not resolved and values not converted yet. */
public sealed interface Condition {

    /** Both conditions, as far as there are any; null for none. */
    static @Nullable Condition both(@Nullable Condition one, @Nullable Condition other) {
        return one == null ? other : other == null ? one : new And(List.of(one, other));
    }

    /** The same with the days that its relative ones mean now to a reader in {@code zone}, which is asked for if there are any. */
    static @Nullable Condition settled(@Nullable Condition condition, Supplier<ZoneId> zone, Instant now) {
        if (condition == null || !condition.isRelative()) {
            return condition;
        }
        var reader = zone.get();
        return condition.withDays(given -> RelativeDays.settled(given, reader, now));
    }

    /** The same whose relative days are those of a reader in {@code zone}. */
    default Condition in(ZoneId zone) {
        return isRelative() ? withDays(given -> RelativeDays.in(given, zone)) : this;
    }

    private boolean isRelative() {
        return switch (this) {
            case And(var parts) -> parts.stream().anyMatch(Condition::isRelative);
            case Or(var parts) -> parts.stream().anyMatch(Condition::isRelative);
            case Not(var part) -> part.isRelative();
            case Test test -> test.operator() == Operator.WITHIN;
            case OfRecord ofRecord -> false;
        };
    }

    private Condition withDays(UnaryOperator<String> days) {
        return switch (this) {
            case And(var parts) ->
                new And(parts.stream().map(part -> part.withDays(days)).toList());
            case Or(var parts) ->
                new Or(parts.stream().map(part -> part.withDays(days)).toList());
            case Not(var part) -> new Not(part.withDays(days));
            case Test test
            when test.operator() == Operator.WITHIN ->
                new Test(
                        test.attribute(),
                        test.operator(),
                        test.values().stream()
                                .map(value -> value.isString()
                                        ? (JsonNode)
                                                JsonNodeFactory.instance.stringNode(days.apply(value.stringValue()))
                                        : value)
                                .toList(),
                        test.asText());
            case Test test -> test;
            case OfRecord ofRecord -> ofRecord;
        };
    }

    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    record Not(Condition part) implements Condition {}

    /**
     * A comparison of one value.
     *
     * @param attribute a name, or the name of a reference and of an attribute of its target, separated by a dot
     * @param asText whether the values are texts of a query string, to be converted to the attribute's type
     */
    record Test(String attribute, Operator operator, List<JsonNode> values, boolean asText) implements Condition {
        public Test {
            values = List.copyOf(values);
        }
    }

    /** The fields that records have besides their attributes. */
    enum RecordField {
        ID,
        CREATED_AT,
        UPDATED_AT
    }

    /**
     * A comparison of what records have besides their attributes.
     *
     * @param reference the name of a reference whose target is compared; null for the record itself
     * @param operator {@link Operator#EQ} or {@link Operator#IN}, or one of an order for a time
     */
    record OfRecord(@Nullable String reference, RecordField field, Operator operator, List<JsonNode> values)
            implements Condition {
        public OfRecord {
            values = List.copyOf(values);
        }
    }
}
