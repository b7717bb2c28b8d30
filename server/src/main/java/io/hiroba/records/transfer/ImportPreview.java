package io.hiroba.records.transfer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A preview of an import: the beginning of its file as records.
 *
 * @param rows the first records, as they would be written
 * @param lines how many records of the file were looked at
 * @param errors the first errors
 * @param whole whether that was all of the file
 */
public record ImportPreview(
        List<Column> columns, List<PreviewRow> rows, long lines, List<LineError> errors, boolean whole) {

    public ImportPreview {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        errors = List.copyOf(errors);
    }

    /**
     * A column of the file.
     *
     * @param attribute where it goes; null if it is left out
     * @param inferred the type that its values seem to have
     * @param type the type that the attribute has; null if there is no such attribute
     */
    public record Column(
            String name,
            @Nullable String attribute,
            String inferred,
            @Nullable String type) {}

    /** A record and the line that it comes from. */
    public record PreviewRow(long line, ObjectNode values) {}
}
