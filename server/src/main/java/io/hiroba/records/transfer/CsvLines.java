package io.hiroba.records.transfer;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** The records of a CSV file, whose first line names the columns. */
final class CsvLines implements Lines {

    private static final int MOST_COLUMNS = 6_000;

    private final CloseableIterator<CsvRecord> records;
    private final List<String> columns;
    private long line;

    CsvLines(InputStream content, char delimiter) {
        var handler = CsvRecordHandler.builder()
                .maxFields(MOST_COLUMNS)
                .maxFieldSize(LONGEST)
                .maxRecordSize(LONGEST)
                .build();
        this.records = CsvReader.builder()
                .fieldSeparator(delimiter)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .allowExtraCharsAfterClosingQuote(false)
                .maxBufferSize(LONGEST)
                .build(handler, Utf8.reader(content))
                .iterator();
        this.columns = read().map(
                        record -> record.getFields().stream().map(String::strip).toList())
                .orElseThrow(() -> new BrokenContent(1, "the file is empty: it must begin with the columns' names"));
        requireDistinct();
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public Optional<Line> next() {
        return read().map(record -> {
            var cells = record.getFields();
            return cells.size() == columns.size()
                    ? new Line.Cells(line, cells)
                    : new Line.Unreadable(
                            line, "has %d cells where %d are named".formatted(cells.size(), columns.size()));
        });
    }

    private Optional<CsvRecord> read() {
        try {
            if (!records.hasNext()) {
                return Optional.empty();
            }
            var found = records.next();
            line = found.getStartingLineNumber();
            return Optional.of(found);
        } catch (CsvParseException e) {
            throw new BrokenContent(line + 1, "is no CSV: " + reason(e));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                throw new BrokenContent(line + 1, Utf8.BROKEN);
            }
            throw e;
        }
    }

    private static String reason(CsvParseException e) {
        return switch (e.getCause()) {
            case CharacterCodingException coding -> "it is not in UTF-8";
            case null, default -> "a cell is larger than 4 MB, or something follows the quote at its end";
        };
    }

    private void requireDistinct() {
        var seen = new HashSet<String>();
        for (var column : columns) {
            if (!seen.add(column)) {
                throw new BrokenContent(1, "names the column `%s` twice".formatted(column));
            }
        }
    }
}
