package io.hiroba.records.transfer;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of an import.
 *
 * @param delimiter what stands between the cells of CSV: one character
 * @param timeZone where dates without an offset are meant
 * @param skipErrors whether lines at fault are passed over; otherwise the first one ends the import
 * @param create whether the schema is made from the types that the values seem to have, if it is not there
 * @param fromLine where in the file the first record begins that is read
 * @param columns the attribute that each column of another name goes to; an empty name leaves the column out
 */
public record ImportOptions(
        FileFormat format,
        String delimiter,
        String timeZone,
        boolean skipErrors,
        boolean create,
        long fromLine,
        @Nullable Map<String, String> columns) {

    /** For all of a file. */
    public ImportOptions(
            FileFormat format,
            String delimiter,
            String timeZone,
            boolean skipErrors,
            boolean create,
            @Nullable Map<String, String> columns) {
        this(format, delimiter, timeZone, skipErrors, create, 1, columns);
    }

    /** The attribute's name for the column {@code named}; empty if it is left out. */
    String attribute(String named) {
        return columns == null ? named : columns.getOrDefault(named, named);
    }

    /** As these, with every column that is named going to where it says. */
    ImportOptions going(Map<String, String> names) {
        return new ImportOptions(format, delimiter, timeZone, skipErrors, create, fromLine, names);
    }
}
