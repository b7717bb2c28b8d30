package io.hiroba.records.query;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A parsed filter: names are not resolved and values not converted yet. */
public sealed interface Condition {

    /** Both conditions, as far as there are any; null for none. */
    static @Nullable Condition both(@Nullable Condition one, @Nullable Condition other) {
        return one == null ? other : other == null ? one : new And(List.of(one, other));
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

    /** What records have besides their attributes. */
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
