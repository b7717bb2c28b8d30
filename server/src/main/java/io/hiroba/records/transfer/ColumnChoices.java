package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The choices that are made for the columns of a file after its preview.
 *
 * @param targets the attributes of the columns; an empty name leaves one out
 * @param dates the order of days such as {@code 8/7/2026}; null for the one that the file shows
 * @param headerRow where the names of the columns are; with another one than before, nothing is mapped
 */
public record ColumnChoices(
        Map<String, String> targets,
        @Nullable DateOrder dates,
        @Nullable DurationReading durations,
        @Nullable DecimalMark decimal,
        @Nullable Integer headerRow) {

    public ColumnChoices {
        targets = Map.copyOf(targets);
    }

    /** Refuses two columns that go to one attribute. */
    void requireDifferent() {
        var taken = new HashSet<String>();
        for (var target : targets.values()) {
            if (!target.isEmpty() && !taken.add(target)) {
                throw TransferProblem.invalid("columns", Text.of("records.transfer.two-columns", "attribute", target));
            }
        }
    }

    /** The options with these choices. */
    ImportOptions in(ImportOptions options) {
        var known = ImportOptions.requireHeaderRow(options.format(), headerRow);
        return options.withColumns(Objects.equals(known, options.headerRow()) ? targets : Map.of())
                .withDates(dates)
                .withDurations(durations)
                .withDecimal(decimal)
                .withHeaderRow(known);
    }
}
