package io.hiroba.records.data;

import io.hiroba.records.schema.Attribute;
import java.time.Instant;
import java.util.Collection;
import tools.jackson.databind.node.ObjectNode;

/** A record as callers see it. */
public record RecordView(
        String id,
        int version,
        Instant createdAt,
        String createdBy,
        Instant updatedAt,
        String updatedBy,
        ObjectNode values) {

    /** With the values of {@code attributes}. */
    public static RecordView of(Row row, Collection<Attribute> attributes) {
        return new RecordView(
                row.id().toString(),
                row.version(),
                row.id().createdAt(),
                row.createdBy().hex(),
                row.updatedAt(),
                row.updatedBy().hex(),
                Documents.shown(attributes, row.document()));
    }
}
