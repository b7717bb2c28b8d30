package io.hiroba.records.statistics;

import io.hiroba.records.schema.Attribute;
import java.util.Map;

/** What is known of a schema's records as a whole. */
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

    public AttributeStatistics attribute(Attribute attribute) {
        var known = attributes.get(attribute.id());
        return known == null ? AttributeStatistics.unknown(attribute.type()) : known;
    }

    Map<Short, AttributeStatistics> attributes() {
        return attributes;
    }
}
