package io.hiroba.records;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A record as callers see it.
 *
 * @param computing whether computed values are still to be computed
 * @param reasons the reasons why formulas have no value, by attribute
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
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean computing,
        @JsonIgnore Map<String, Text> reasons,
        @JsonIgnore String tag) {

    private static final int MASK = 0x3fffffff;

    public RecordView {
        reasons = Map.copyOf(reasons);
    }

    /** The record as {@code role} sees it. */
    static RecordView of(RecordRow row, RecordAccess recordAccess, ProjectRole role) {
        return of(row, recordAccess, role, false);
    }

    static RecordView of(RecordRow row, RecordAccess recordAccess, ProjectRole role, boolean computing) {
        var schema = recordAccess.schema();
        return new RecordView(
                row.id().toString(),
                row.version(),
                row.id().createdAt(),
                row.createdBy().hex(),
                row.updatedAt(),
                row.updatedBy().hex(),
                Documents.shown(recordAccess.shown(), row.document()),
                computing,
                computing ? Map.of() : reasons(row, recordAccess),
                "\"" + row.version() + "-" + schema.version()
                        + role.name().toLowerCase(Locale.ROOT).charAt(0)
                        // Values of others may change it while it keeps its version.
                        + (schema.computedInOrder().isEmpty()
                                ? ""
                                : "-" + (row.document().hashCode() & MASK))
                        + "\"");
    }

    /** The reasons why formulas have no value. */
    private static Map<String, Text> reasons(RecordRow row, RecordAccess recordAccess) {
        var schema = recordAccess.schema();
        var reasons = new HashMap<String, Text>();
        for (var attribute : schema.computedInOrder()) {
            if (recordAccess.canRead(attribute)
                    && Documents.value(row.document(), attribute).isNull()) {
                schema.formula(attribute)
                        .flatMap(formula -> Optional.ofNullable(formula.evaluate(row.document(), attribute.type())
                                .reason()))
                        .ifPresent(reason -> reasons.put(attribute.name(), reason));
            }
        }
        return reasons;
    }
}
