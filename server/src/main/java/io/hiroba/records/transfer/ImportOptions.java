package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.DateOrder;
import io.hiroba.records.DecimalMark;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of an import.
 *
 * @param delimiter the separator of CSV cells, one character; empty for the one that the first line of the file shows
 * @param timeZone the zone of dates without an offset
 * @param skipErrors whether invalid lines are skipped; otherwise the first one fails the import
 * @param create whether a missing schema is created with the inferred types
 * @param fromLine the line at which reading starts
 * @param raw whether cells of CSV are taken as they are; otherwise the apostrophes with which exports escape formulas are removed
 * @param sheet the name of the sheet of XLSX; the first one unless given
 * @param columns the mapping of columns to attributes of other names; an empty name leaves the column out
 * @param newOptions whether texts that are no options of their attribute become such; otherwise their lines are invalid
 * @param dates the order of days such as {@code 8/7/2026}; the one that the file's own days show unless given
 * @param durations the reading of texts such as {@code 1:30}; unless given, what the file's own columns look like
 * @param decimal the mark before the decimals of numbers in CSV; the one that the file's own numbers show unless given
 * @param encoding the name of the encoding of text files; the likely one unless given
 * @param headerRow the line of CSV, or the row of a sheet, from which on the names of the columns come; the first one unless given
 */
public record ImportOptions(
        FileFormat format,
        String delimiter,
        String timeZone,
        boolean skipErrors,
        boolean create,
        long fromLine,
        @Nullable Boolean raw,
        @Nullable String sheet,
        @Nullable Map<String, String> columns,
        @Nullable Boolean newOptions,
        @Nullable DateOrder dates,
        @Nullable DurationReading durations,
        @Nullable DecimalMark decimal,
        @Nullable String encoding,
        @Nullable Integer headerRow) {

    private static final int MAX_HEADER_ROW = 1_000;

    /** The options of an import that makes no options of attributes. */
    public ImportOptions(
            FileFormat format,
            String delimiter,
            String timeZone,
            boolean skipErrors,
            boolean create,
            long fromLine,
            @Nullable Boolean raw,
            @Nullable String sheet,
            @Nullable Map<String, String> columns) {
        this(
                format,
                delimiter,
                timeZone,
                skipErrors,
                create,
                fromLine,
                raw,
                sheet,
                columns,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** The options for a whole file. */
    public ImportOptions(
            FileFormat format,
            String delimiter,
            String timeZone,
            boolean skipErrors,
            boolean create,
            @Nullable Map<String, String> columns) {
        this(format, delimiter, timeZone, skipErrors, create, 1, null, null, columns);
    }

    /** The mark before the decimals of cells, which have a type of their own in other formats. */
    DecimalMark decimalOfCells() {
        return decimal == null || format != FileFormat.CSV ? DecimalMark.POINT : decimal;
    }

    boolean isRaw() {
        return Boolean.TRUE.equals(raw);
    }

    /** The attribute of the column {@code named}; empty if it is left out. */
    String attribute(String named) {
        return columns == null ? named : columns.getOrDefault(named, named);
    }

    /** These options for the sheet of that name. */
    public ImportOptions withSheet(String named) {
        return with(named, columns, newOptions, dates, durations, decimal, encoding);
    }

    /** These options with the mapping of the given columns. */
    ImportOptions withColumns(Map<String, String> names) {
        return with(sheet, names, newOptions, dates, durations, decimal, encoding);
    }

    /** These options, with texts that are no options of their attribute becoming such. */
    public ImportOptions makingOptions(boolean makes) {
        return with(sheet, columns, makes ? true : null, dates, durations, decimal, encoding);
    }

    boolean makesOptions() {
        return Boolean.TRUE.equals(newOptions);
    }

    /** These options with the order of days. */
    ImportOptions withDates(@Nullable DateOrder order) {
        return with(sheet, columns, newOptions, order, durations, decimal, encoding);
    }

    /** These options with the reading of texts such as {@code 1:30}. */
    ImportOptions withDurations(@Nullable DurationReading reading) {
        return with(sheet, columns, newOptions, dates, reading, decimal, encoding);
    }

    /** These options with the mark before the decimals of numbers. */
    ImportOptions withDecimal(@Nullable DecimalMark mark) {
        return with(sheet, columns, newOptions, dates, durations, mark, encoding);
    }

    /** These options for a file in the encoding of that name. */
    public ImportOptions withEncoding(@Nullable String name) {
        return with(sheet, columns, newOptions, dates, durations, decimal, name);
    }

    /** These options for a file whose names of columns come at that line. */
    ImportOptions withHeaderRow(@Nullable Integer line) {
        return new ImportOptions(
                format,
                delimiter,
                timeZone,
                skipErrors,
                create,
                fromLine,
                raw,
                sheet,
                columns,
                newOptions,
                dates,
                durations,
                decimal,
                encoding,
                line);
    }

    /** Refuses a line that names of columns cannot come from in a file of that format. */
    static @Nullable Integer requireHeaderRow(FileFormat format, @Nullable Integer line) {
        boolean hasHeader = format == FileFormat.CSV || format == FileFormat.XLSX;
        if (line != null && (!hasHeader || line < 1 || line > MAX_HEADER_ROW)) {
            throw TransferProblem.invalid("headerRow", Text.of("records.transfer.header-row", "max", MAX_HEADER_ROW));
        }
        return line;
    }

    /** The line from which on the names of the columns come. */
    int firstRow() {
        return headerRow == null ? 1 : headerRow;
    }

    private ImportOptions with(
            @Nullable String itsSheet,
            @Nullable Map<String, String> targets,
            @Nullable Boolean makes,
            @Nullable DateOrder order,
            @Nullable DurationReading reading,
            @Nullable DecimalMark mark,
            @Nullable String charset) {
        return new ImportOptions(
                format,
                delimiter,
                timeZone,
                skipErrors,
                create,
                fromLine,
                raw,
                itsSheet,
                targets,
                makes,
                order,
                reading,
                mark,
                charset,
                headerRow);
    }
}
