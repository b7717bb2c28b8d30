package io.hiroba.records.pages;

import io.hiroba.records.transfer.LineError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An import on its page.
 *
 * @param grid where its records are
 * @param preview what it would do; none once it was started, or where its file cannot be read
 * @param problem what is wrong with the file as a whole
 */
public record ImportSheet(
        ProjectHead project,
        ImportItem item,
        String grid,
        @Nullable Preview preview,
        List<LineError> errors,
        @Nullable String problem,
        boolean isMine) {

    public ImportSheet {
        errors = List.copyOf(errors);
    }

    /**
     * The beginning of the file as records.
     *
     * @param about how much was looked at, in words
     */
    public record Preview(List<Column> columns, List<Line> lines, String about) {

        /** Whether it is known of each column where it goes. */
        public boolean isReady() {
            return columns.stream().noneMatch(Column::isUnknown);
        }

        public Preview {
            columns = List.copyOf(columns);
            lines = List.copyOf(lines);
        }
    }

    /**
     * A column of the file and what becomes of it.
     *
     * @param isUnknown whether it must be said first where it goes
     * @param target where it goes, or might go as long as that is not known; empty for nowhere
     * @param choices where it could go; none if that is not to be chosen
     */
    public record Column(
            String name, String type, String note, boolean isUnknown, String target, List<Filter.Choice> choices) {

        public Column {
            choices = List.copyOf(choices);
        }

        public boolean isLeftOut() {
            return !isUnknown && target.isEmpty();
        }
    }

    /** A line of the file. */
    public record Line(long number, List<String> values) {

        public Line {
            values = List.copyOf(values);
        }
    }
}
