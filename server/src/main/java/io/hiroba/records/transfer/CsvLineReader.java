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
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads the records of a CSV file with a header line. */
final class CsvLineReader implements LineReader {

    private static final int MAX_COLUMNS = 6_000;

    private final QuoteTracker content;
    private final CloseableIterator<CsvRecord> records;
    private final List<String> columns;

    private final Set<String> unnamed = new HashSet<>();
    private final boolean raw;
    private final int before;
    private final char delimiter;
    private long line;

    CsvLineReader(InputStream content, ImportOptions options) {
        this.raw = options.isRaw();
        var text = new BufferedReader(FileEncoding.reader(content, options.encoding()), 1 << 16);
        var found = delimiter(text, options);
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
                .orElseThrow(
                        () -> new MalformedFileException(options.firstRow(), Text.of("records.transfer.empty-csv")));
        this.columns = ColumnNames.numbered(IntStream.range(0, header.size())
                .mapToObj(i -> header.get(i).isEmpty() ? ColumnNames.unnamed(i, header::contains) : header.get(i))
                .toList());
        IntStream.range(0, header.size())
                .filter(i -> header.get(i).isEmpty())
                .forEach(i -> unnamed.add(columns.get(i)));
        requireGood();
    }

    /** The delimiter, for {@code text} that goes on with the line of the names. */
    private static CsvDelimiter.Found delimiter(BufferedReader text, ImportOptions options) {
        try {
            var found = CsvDelimiter.of(text, options.delimiter());
            int lines = found.lines();
            while (lines < options.firstRow() - 1 && skipLine(text)) {
                lines++;
            }
            if (lines == found.lines()) {
                return found;
            }
            return new CsvDelimiter.Found(
                    found.lines() > 0
                            ? found.delimiter()
                            : CsvDelimiter.of(text, options.delimiter()).delimiter(),
                    lines);
        } catch (CharacterCodingException e) {
            throw new MalformedFileException(1, FileEncoding.BROKEN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Passes over a line, however long it is; false at the end. */
    private static boolean skipLine(BufferedReader text) throws IOException {
        int c = text.read();
        while (c >= 0 && c != '\n' && c != '\r') {
            c = text.read();
        }
        if (c == '\r') {
            text.mark(1);
            if (text.read() != '\n') {
                text.reset();
            }
        }
        return c >= 0;
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public Set<String> unnamed() {
        return unnamed;
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
            return cells.size() == columns.size()
                    ? new FileLine.Cells(line, cells)
                    : new FileLine.Unreadable(
                            line, Text.of("records.transfer.cells", "cells", cells.size(), "named", columns.size()));
        });
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
