package io.hiroba.records.tuning;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectTables;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored index of a project.
 *
 * @param equality the id of the attribute; null for none
 * @param askedBy the user who created it; null if it was created automatically
 * @param effect null until it is measured
 * @param bytes 0 until it is built
 */
public record StoredIndex(
        ProjectTables tables,
        String name,
        short schema,
        @Nullable Short equality,
        short order,
        IndexState state,
        Text reason,
        @Nullable Long askedBy,
        Instant askedAt,
        @Nullable Instant readyAt,
        @Nullable Text failure,
        @Nullable Effect effect,
        long scans,
        @Nullable Instant usedAt,
        long bytes) {

    /** The median time of a page with the built-in index scan, and with the index. */
    public record Effect(double baselineMillis, double indexMillis) {}
}
