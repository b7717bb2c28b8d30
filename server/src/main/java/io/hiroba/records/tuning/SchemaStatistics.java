package io.hiroba.records.tuning;

import io.hiroba.records.SchemaAttribute;
import java.util.Map;

/** The statistics of a schema. */
public final class SchemaStatistics {

    private static final double GUESS = 1000;

    private static final SchemaStatistics UNKNOWN = new SchemaStatistics(GUESS, Map.of());

    private final double rows;
    private final Map<Short, AttributeStatistics> attributes;

    /** @param attributes by the attributes' ids */
    SchemaStatistics(double rows, Map<Short, AttributeStatistics> attributes) {
        this.rows = rows;
        this.attributes = Map.copyOf(attributes);
    }

    /** For a schema that nobody has looked through yet. */
    static SchemaStatistics unknown() {
        return UNKNOWN;
    }

    /** How many records there are, more or less. */
    public double rows() {
        return rows;
    }

    /** Whether it was looked at; all else is a guess. */
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
