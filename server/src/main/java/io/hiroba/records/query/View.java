package io.hiroba.records.query;

import io.hiroba.records.RecordsProblem;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Schema;
import java.util.List;
import java.util.Optional;

/**
 * A schema as one caller sees it.
 *
 * @param attributes those that are not hidden from them
 * @param rows which records they see
 */
record View(Schema schema, List<Attribute> attributes, Predicate rows) {

    View {
        attributes = List.copyOf(attributes);
    }

    boolean showsAllRows() {
        return rows.conjuncts().isEmpty();
    }

    Optional<Attribute> find(String name) {
        return schema.attribute(name).filter(attributes::contains);
    }

    Attribute require(String at, String name) {
        return find(name)
                .orElseThrow(() -> RecordsProblem.invalid(
                        at, "names `%s`, which `%s` has no attribute for".formatted(name, schema.name())));
    }
}
