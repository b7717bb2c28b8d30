package io.hiroba.records.tuning;

import io.hiroba.records.SchemaAttribute;
import java.util.Map;

/** The statistics of a schema. */
public final class SchemaStatistics {

    private static final double GUESS = 1000;

    private static final SchemaStatistics UNKNOWN = new SchemaStatistics(GUESS, Map.of());

    private final double rows;
    private final Map<Short, AttributeStatistics> attributes;

    /** @param attributes by attribute id */
    SchemaStatistics(double rows, Map<Short, AttributeStatistics> attributes) {
        this.rows = rows;
        this.attributes = Map.copyOf(attributes);
    }

    /** The statistics of a schema that was not sampled. */
    static SchemaStatistics unknown() {
        return UNKNOWN;
    }

    /** The approximate number of records. */
    public double rows() {
        return rows;
    }

    /** Whether the schema was sampled; otherwise the values are defaults. */
    public boolean known() {
        return !attributes.isEmpty();
    }

    public AttributeStatistics attribute(SchemaAttribute attribute) {
        var known = attributes.get(attribute.id());
        return known == null ? AttributeStatistics.unknown(attribute.type()) : known;
    }

    Map<Short, AttributeStatistics> attributes() {
        return attributes;
    }
}
