package io.hiroba.knowledge.documents;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads CSV and TSV: the first line names the columns. */
final class CsvReader {

    private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

    private CsvReader() {}

    static ParsedDocument read(String csv) {
        var first = csv.lines().findFirst().orElse("");
        char separator = ',';
        for (char candidate : SEPARATORS) {
            if (count(first, candidate) > count(first, separator)) {
                separator = candidate;
            }
        }
        return read(csv, separator);
    }

    private static long count(String line, char c) {
        return line.chars().filter(other -> other == c).count();
    }

    @SuppressWarnings("removal") // nothing else reads files with text after a closing quote, which people have
    static ParsedDocument read(String csv, char separator) {
        var rows = new ArrayList<String>();
        var numbers = new ArrayList<Integer>();
        try (var records = de.siegmar.fastcsv.reader.CsvReader.builder()
                .fieldSeparator(separator)
                .skipEmptyLines(true)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .allowExtraCharsAfterClosingQuote(true)
                .ofCsvRecord(csv)) {
            for (CsvRecord row : records) {
                BlockLimit.check(rows.size());
                numbers.add(rows.size() + 1);
                rows.add(row.getFields().stream()
                        .map(cell -> cell.strip().replaceAll("\\s+", " "))
                        .collect(Collectors.joining(" | ")));
            }
        } catch (CsvParseException | java.io.IOException e) {
            throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.csv"));
        }
        if (rows.isEmpty()) {
            return new ParsedDocument(null, List.of());
        }
        var table = new Block.Table(rows.getFirst(), rows.subList(1, rows.size()), numbers.subList(1, numbers.size()));
        return new ParsedDocument(
                null, List.of(Section.of(List.of(), List.of(table))), Map.of("row_count", rows.size() - 1));
    }
}
