package io.hiroba.records.query;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** A filter as it was parsed: names are not resolved and values not converted yet. */
public sealed interface Condition {

    /** All of {@code parts}. */
    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    /** At least one of {@code parts}. */
    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    /** Everything that {@code part} does not hold for. */
    record Not(Condition part) implements Condition {}

    /**
     * One test of one value.
     *
     * @param attribute a name, or a reference's name and a name of what it refers to, with a point between
     * @param asText whether the values are texts to be read by the attribute's type, as in an address
     */
    record Test(String attribute, Operator operator, List<JsonNode> values, boolean asText) implements Condition {
        public Test {
            values = List.copyOf(values);
        }
    }
}
