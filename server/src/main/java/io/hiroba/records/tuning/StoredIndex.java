package io.hiroba.records.tuning;

import io.hiroba.records.ProjectTables;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored index of a project.
 *
 * @param equality by id; null for none
 * @param askedBy null if the use asked for it
 * @param effect null until it was measured
 * @param bytes 0 while there is none
 */
public record StoredIndex(
        ProjectTables tables,
        String name,
        short schema,
        @Nullable Short equality,
        short order,
        IndexState state,
        String reason,
        @Nullable Long askedBy,
        Instant askedAt,
        @Nullable Instant readyAt,
        @Nullable String failure,
        @Nullable Effect effect,
        long scans,
        @Nullable Instant usedAt,
        long bytes) {

    /** The median time of a page by the built-in index scan, and by the index. */
    public record Effect(double baselineMillis, double indexMillis) {}
}
