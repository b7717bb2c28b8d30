package io.hiroba.records.transfer;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.hiroba.platform.i18n.Text;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads the records of a CSV file with a header line. */
final class CsvLineReader implements LineReader {

    private static final int MAX_COLUMNS = 6_000;

    private final QuoteTracker content;
    private final CloseableIterator<CsvRecord> records;
    private final List<String> columns;

    /** Where cells have no column: a spreadsheet writes such at the end of each line. */
    private final Set<Integer> unnamed;

    private final boolean raw;
    private final int before;
    private final char delimiter;
    private long line;

    CsvLineReader(InputStream content, ImportOptions options) {
        this.raw = options.isRaw();
        var text = new BufferedReader(FileEncoding.reader(content, options.encoding()), 1 << 16);
        var found = delimiter(text, options.delimiter());
        this.before = found.lines();
        this.delimiter = found.delimiter();
        this.content = new QuoteTracker(text, found.delimiter());
        var handler = CsvRecordHandler.builder()
                .maxFields(MAX_COLUMNS)
                .maxFieldSize(MAX_LENGTH)
                .maxRecordSize(MAX_LENGTH)
                .build();
        this.records = CsvReader.builder()
                .fieldSeparator(found.delimiter())
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(MAX_LENGTH)
                .build(handler, this.content)
                .iterator();
        var header = read().map(
                        record -> record.getFields().stream().map(String::strip).toList())
                .orElseThrow(() -> new MalformedFileException(1, Text.of("records.transfer.empty-csv")));
        // The first without a name is a column that is left out, such as the numbers of lines.
        int first = header.indexOf("");
        this.unnamed = IntStream.range(first + 1, header.size())
                .filter(i -> first >= 0 && header.get(i).isEmpty())
                .boxed()
                .collect(Collectors.toUnmodifiableSet());
        this.columns = ColumnNames.numbered(named(header));
        requireGood();
    }

    private static CsvDelimiter.Found delimiter(Reader text, String chosen) {
        try {
            return CsvDelimiter.of(text, chosen);
        } catch (CharacterCodingException e) {
            throw new MalformedFileException(1, FileEncoding.BROKEN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public char delimiter() {
        return delimiter;
    }

    @Override
    public Optional<FileLine> next() {
        return read().map(record -> {
            var cells = raw
                    ? record.getFields()
                    : record.getFields().stream().map(FormulaEscape::restore).toList();
            int width = columns.size() + unnamed.size();
            if (cells.size() != width) {
                return new FileLine.Unreadable(
                        line, Text.of("records.transfer.cells", "cells", cells.size(), "named", width));
            }
            return unnamed.stream().allMatch(each -> cells.get(each).isBlank())
                    ? new FileLine.Cells(line, named(cells))
                    : new FileLine.Unreadable(line, Text.of("records.transfer.cell-unnamed"));
        });
    }

    private List<String> named(List<String> cells) {
        return unnamed.isEmpty()
                ? cells
                : IntStream.range(0, cells.size())
                        .filter(i -> !unnamed.contains(i))
                        .mapToObj(cells::get)
                        .toList();
    }

    private Optional<CsvRecord> read() {
        try {
            if (!records.hasNext()) {
                return Optional.empty();
            }
            var found = records.next();
            line = before + found.getStartingLineNumber();
            // The parser reads beyond the end only for the last record.
            if (content.endsWithinQuotes() && !records.hasNext()) {
                throw new MalformedFileException(line, Text.of("records.transfer.open-quote"));
            }
            return Optional.of(found);
        } catch (CsvParseException e) {
            throw new MalformedFileException(line + 1, reason(e));
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                throw new MalformedFileException(line + 1, FileEncoding.BROKEN);
            }
            throw e;
        }
    }

    private static Text reason(CsvParseException e) {
        return switch (e.getCause()) {
            case CharacterCodingException coding -> Text.of("records.transfer.csv-encoding");
            case null, default -> Text.of("records.transfer.csv");
        };
    }

    private void requireGood() {
        for (var column : columns) {
            if (!Utf8.isStorable(column)) {
                throw new MalformedFileException(1, Text.of("records.transfer.column-unstorable"));
            }
        }
    }
}
