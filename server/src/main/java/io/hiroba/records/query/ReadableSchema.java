package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import java.util.List;
import java.util.Optional;

/**
 * A schema with the attributes and rows that one caller can read.
 *
 * @param attributes the attributes that are not hidden
 * @param rows the records that the caller may read
 */
record ReadableSchema(Schema schema, List<SchemaAttribute> attributes, Predicate rows) {

    ReadableSchema {
        attributes = List.copyOf(attributes);
    }

    boolean showsAllRows() {
        return rows.conjuncts().isEmpty();
    }

    Optional<SchemaAttribute> find(String name) {
        return schema.attribute(name).filter(attributes::contains);
    }

    SchemaAttribute require(String at, String name) {
        return find(name)
                .orElseThrow(() -> RecordsProblem.invalid(
                        at, Text.of("records.query.no-attribute", "name", name, "schema", schema.name())));
    }
}
