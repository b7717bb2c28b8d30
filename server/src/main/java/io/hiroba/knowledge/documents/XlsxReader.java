package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.StorableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads Excel workbooks: a table a sheet, whose first row names the columns. */
final class XlsxReader {

    static final String WORKBOOK = "xl/workbook.xml";
    private static final String STRINGS = "xl/sharedStrings.xml";
    private static final String STYLES = "xl/styles.xml";

    /** The maximum columns of a row, and of a gap in it. */
    private static final int MAX_COLUMNS = 1000;

    private static final int MAX_GAP = 20;

    private final TextBudget budget = new TextBudget();
    private final List<String> strings;
    private final XlsxFormats formats;
    private int rows;

    private XlsxReader(List<String> strings, XlsxFormats formats) {
        this.strings = strings;
        this.formats = formats;
    }

    static ParsedDocument read(byte[] archive) {
        try {
            var parts = ArchiveParts.read(archive, XlsxReader::isWanted);
            var sheets = new ArrayList<Sheet>();
            boolean since1904 = workbook(parts.xml(WORKBOOK), sheets);
            var styles = parts.find(STYLES).orElse(null);
            var strings = parts.find(STRINGS).orElse(null);
            var reader =
                    new XlsxReader(strings == null ? List.of() : strings(strings), XlsxFormats.read(styles, since1904));
            var targets = parts.relations(WORKBOOK);
            var sections = new ArrayList<Section>();
            for (var sheet : sheets) {
                var xml = parts.find(targets.getOrDefault(sheet.relation(), "")).orElse(null);
                if (xml != null) {
                    reader.sheet(xml)
                            .ifPresent(table -> sections.add(Section.of(List.of(sheet.name()), List.of(table))));
                }
            }
            return new ParsedDocument(parts.title(), sections, Map.of("sheet_count", sheets.size()));
        } catch (IOException | XMLStreamException e) {
            throw ArchiveParts.corrupt();
        }
    }

    private static boolean isWanted(String name) {
        return name.equals(WORKBOOK)
                || name.equals(STRINGS)
                || name.equals(STYLES)
                || name.equals("xl/_rels/workbook.xml.rels")
                || (name.startsWith("xl/worksheets/") && name.endsWith(".xml"));
    }

    private record Sheet(String name, String relation) {}

    /** Adds the sheets, and returns whether dates are counted from 1904, as the first ones of Macs did. */
    private static boolean workbook(XMLStreamReader xml, List<Sheet> sheets) throws XMLStreamException {
        boolean since1904 = false;
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamReader.START_ELEMENT) {
                continue;
            }
            if (xml.getLocalName().equals("workbookPr")) {
                since1904 = "1".equals(ArchiveParts.attribute(xml, "date1904"))
                        || "true".equals(ArchiveParts.attribute(xml, "date1904"));
            } else if (xml.getLocalName().equals("sheet")) {
                var name = ArchiveParts.attribute(xml, "name");
                var relation = ArchiveParts.attribute(xml, "id");
                if (name != null && relation != null) {
                    sheets.add(new Sheet(tidy(name), relation));
                }
            }
        }
        return since1904;
    }

    private static List<String> strings(XMLStreamReader xml) throws XMLStreamException {
        var strings = new ArrayList<String>();
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("si")) {
                BlockLimit.check(strings.size());
                strings.add(tidy(rich(xml)));
            }
        }
        return strings;
    }

    /** The text of an element with runs; the readings above Japanese words are left out. */
    private static String rich(XMLStreamReader xml) throws XMLStreamException {
        var text = new StringBuilder();
        for (int depth = 1; depth > 0 && xml.hasNext(); ) {
            switch (xml.next()) {
                case XMLStreamReader.START_ELEMENT -> {
                    if (xml.getLocalName().equals("rPh")) {
                        ArchiveParts.skip(xml);
                    } else if (xml.getLocalName().equals("t")) {
                        text.append(xml.getElementText());
                    } else {
                        depth++;
                    }
                }
                case XMLStreamReader.END_ELEMENT -> depth--;
                default -> {}
            }
        }
        return text.toString();
    }

    private Optional<Block> sheet(XMLStreamReader xml) throws XMLStreamException {
        var lines = new ArrayList<String>();
        var numbers = new ArrayList<Integer>();
        int number = 0;
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("row")) {
                number = number(ArchiveParts.attribute(xml, "r"), number + 1);
                var line = row(xml);
                if (!line.isBlank()) {
                    BlockLimit.check(++rows);
                    lines.add(line);
                    numbers.add(number);
                }
            }
        }
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new Block.Table(
                        lines.getFirst(), lines.subList(1, lines.size()), numbers.subList(1, numbers.size())));
    }

    private String row(XMLStreamReader xml) throws XMLStreamException {
        var cells = new ArrayList<String>();
        int used = 0;
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals("row")) {
                break;
            }
            if (event == XMLStreamReader.START_ELEMENT && xml.getLocalName().equals("c")) {
                int column = column(ArchiveParts.attribute(xml, "r"), used);
                var value = cell(xml);
                if (!value.isEmpty() && cells.size() < MAX_COLUMNS) {
                    // So that a value stands below the name of its column.
                    for (int gap = Math.min(column - used, MAX_GAP); gap > 0; gap--) {
                        cells.add("");
                    }
                    cells.add(budget.take(value));
                    used = column + 1;
                }
            }
        }
        return String.join(" | ", cells);
    }

    private String cell(XMLStreamReader xml) throws XMLStreamException {
        var type = ArchiveParts.attribute(xml, "t");
        var style = number(ArchiveParts.attribute(xml, "s"), 0);
        var value = "";
        for (int depth = 1; depth > 0 && xml.hasNext(); ) {
            switch (xml.next()) {
                case XMLStreamReader.START_ELEMENT -> {
                    switch (xml.getLocalName()) {
                        case "v" -> value = ArchiveParts.text(xml).strip();
                        case "is" -> value = rich(xml);
                        case "f" -> ArchiveParts.skip(xml);
                        default -> depth++;
                    }
                }
                case XMLStreamReader.END_ELEMENT -> depth--;
                default -> {}
            }
        }
        return switch (type) {
            case "s" -> {
                int index = number(value, -1);
                yield index >= 0 && index < strings.size() ? strings.get(index) : "";
            }
            case "b" -> value.equals("1") ? "TRUE" : "FALSE";
            case "str", "inlineStr", "e", "d" -> tidy(value);
            case null, default -> formats.text(value, style);
        };
    }

    /** The index of a cell's column, from 0: A is 0, AA is 26. */
    private static int column(@Nullable String reference, int next) {
        int column = 0;
        for (int i = 0; reference != null && i < Math.min(reference.length(), 3); i++) {
            char letter = reference.charAt(i);
            if (letter < 'A' || letter > 'Z') {
                break;
            }
            column = column * 26 + letter - 'A' + 1;
        }
        return column == 0 ? next : Math.max(next, column - 1);
    }

    private static int number(@Nullable String digits, int otherwise) {
        return digits != null && digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : otherwise;
    }

    private static String tidy(String text) {
        return StorableText.of(text).strip().replaceAll("\\s+", " ");
    }
}
