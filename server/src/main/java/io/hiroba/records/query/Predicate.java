package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A resolved filter: names are resolved to attributes and values converted to their types. */
sealed interface Predicate {

    record All(List<Predicate> parts) implements Predicate {
        public All {
            parts = List.copyOf(parts);
        }
    }

    record Any(List<Predicate> parts) implements Predicate {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    record Not(Predicate part) implements Predicate {}

    /**
     * A comparison of one value.
     *
     * @param values as in documents
     */
    record Leaf(SchemaAttribute attribute, Operator operator, List<JsonNode> values) implements Predicate {
        public Leaf {
            values = List.copyOf(values);
        }

        JsonNode value() {
            return values.getFirst();
        }
    }

    /** The record that {@code reference} refers to exists and matches {@code part}. */
    record Through(SchemaAttribute reference, Schema target, Predicate part) implements Predicate {}

    record MadeBy(UserId user) implements Predicate {}

    /**
     * A comparison of the id.
     *
     * @param operator {@link Operator#IN}, or {@link Operator#GTE} or {@link Operator#LT} of one id: ids are in order of creation
     */
    record Identified(Operator operator, List<UUID> ids) implements Predicate {
        public Identified {
            ids = List.copyOf(ids);
        }
    }

    /** A comparison of the time of the last change. */
    record Changed(Operator operator, Instant at) implements Predicate {}

    /** The conjuncts. */
    default List<Predicate> conjuncts() {
        if (!(this instanceof All(var parts))) {
            return List.of(this);
        }
        var all = new ArrayList<Predicate>(parts.size());
        for (var part : parts) {
            if (part instanceof All) {
                all.addAll(part.conjuncts());
            } else {
                all.add(part);
            }
        }
        return all;
    }

    default Predicate and(Predicate other) {
        var parts = new ArrayList<>(conjuncts());
        parts.addAll(other.conjuncts());
        return new All(parts);
    }

    static Predicate has(SchemaAttribute attribute) {
        return new Leaf(attribute, Operator.EXISTS, List.of());
    }

    static Predicate lacks(SchemaAttribute attribute) {
        return new Not(has(attribute));
    }
}
