package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * A record as callers see it.
 *
 * @param tag the ETag, which also depends on the role and the rules: they show different fields of the same version
 */
public record RecordView(
        String id,
        int version,
        Instant createdAt,
        String createdBy,
        Instant updatedAt,
        String updatedBy,
        ObjectNode values,
        @JsonIgnore String tag) {

    /** The record as {@code role} sees it. */
    static RecordView of(RecordRow row, RecordAccess recordAccess, ProjectRole role) {
        return new RecordView(
                row.id().toString(),
                row.version(),
                row.id().createdAt(),
                row.createdBy().hex(),
                row.updatedAt(),
                row.updatedBy().hex(),
                Documents.shown(recordAccess.shown(), row.document()),
                "\"" + row.version() + "-" + recordAccess.schema().version()
                        + role.name().toLowerCase(Locale.ROOT).charAt(0) + "\"");
    }
}
