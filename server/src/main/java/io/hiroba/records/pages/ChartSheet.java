package io.hiroba.records.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart with what it was asked for and its numbers.
 *
 * @param query the filter of the grid that it is about, as part of an address
 * @param measure what is shown, such as {@code sum.price}
 * @param by what it is shown by, such as {@code date.month}
 * @param isCut whether there are more groups than are shown
 * @param problem what is wrong with what was asked
 */
public record ChartSheet(
        ProjectHead project,
        String schema,
        String path,
        String query,
        Filter filter,
        List<Filter.Parameter> kept,
        List<Filter.Choice> measures,
        List<Filter.Choice> groups,
        String measure,
        String by,
        @Nullable Chart chart,
        List<Row> rows,
        boolean isCut,
        @Nullable String problem) {

    public ChartSheet {
        kept = List.copyOf(kept);
        measures = List.copyOf(measures);
        groups = List.copyOf(groups);
        rows = List.copyOf(rows);
    }

    /** A group. */
    public record Row(String label, String value, @Nullable String href) {}

    public String measureLabel() {
        return label(measures, measure);
    }

    public String groupLabel() {
        return label(groups, by);
    }

    public String title() {
        return measureLabel() + " by " + groupLabel();
    }

    private static String label(List<Filter.Choice> choices, String value) {
        return choices.stream()
                .filter(choice -> choice.value().equals(value))
                .map(Filter.Choice::label)
                .findFirst()
                .orElse("");
    }
}
