package io.hiroba.records.transfer;

import io.hiroba.records.DecimalMark;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A preview of an import from the beginning of its file.
 *
 * @param rows the first valid records
 * @param lines the number of records read
 * @param errors the first errors
 * @param whole whether the whole file was read
 * @param asksOrder whether days such as {@code 8/7/2026} may be of either order
 * @param durations the likely reading of texts such as {@code 1:30}, which may be chosen; null without such texts
 * @param decimal the likely mark before decimals, which may be chosen; null where it does not matter
 */
public record ImportPreview(
        List<Column> columns,
        List<PreviewRow> rows,
        long lines,
        List<LineError> errors,
        boolean whole,
        boolean asksOrder,
        @Nullable DurationReading durations,
        @Nullable DecimalMark decimal) {

    public ImportPreview {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        errors = List.copyOf(errors);
    }

    /**
     * A column of the file.
     *
     * @param attribute the attribute it is mapped to; null if it is left out
     * @param inferred the type inferred from its values
     * @param format the format inferred from its values, such as {@code duration}; null for none
     * @param type the type of the attribute; null if it does not exist
     */
    public record Column(
            String name,
            @Nullable String attribute,
            String inferred,
            @Nullable String format,
            @Nullable String type) {}

    /** A record and its line. */
    public record PreviewRow(long line, ObjectNode values) {}
}
