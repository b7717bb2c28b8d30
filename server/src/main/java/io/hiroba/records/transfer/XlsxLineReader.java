package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ValueType;
import io.hiroba.records.transfer.XlsxStyles.CellValue;
import io.hiroba.records.transfer.XlsxStyles.InvalidCellException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a sheet of an XLSX workbook, row by row: its first row that is not empty, or another one of the options, has the names
 * of the columns. Empty rows are skipped. Values of formulas are those that the workbook was saved with.
 */
final class XlsxLineReader implements LineReader {

    static final int MAX_COLUMNS = 6_000;
    /** The maximum unpacked size of the parts beside sheets and texts. */
    private static final long MAX_PART = 16L << 20;
    /** The maximum unpacked size of a row and of a shared text. */
    private static final long MAX_ROW = 16L << 20;
    /** The memory of shared texts, estimated. */
    private static final long MAX_STRINGS = 128L << 20;

    private static final int STRING_OVERHEAD = 56;
    private static final int MAX_NAMED_SHEETS = 20;
    private static final CellValue NOTHING = new CellValue(ValueType.TEXT, "");

    private final XlsxArchive archive;
    private final XlsxStyles styles;
    private final List<String> strings;
    private final XlsxArchive.Part sheet;
    private final List<String> columns = new ArrayList<>();
    private final Set<String> unnamed = new HashSet<>();
    /** The place in {@link #columns} by the place in the sheet. */
    private final Map<Integer, Integer> places = new HashMap<>();

    private final ImportOptions options;

    private long row;

    /** A cell of the row that is read; without a value if it has a fault. */
    private record SheetCell(
            int column, CellValue value, @Nullable Text fault) {}

    XlsxLineReader(InputStream content, ImportOptions options) {
        this.options = options;
        this.archive = XlsxArchive.of(content);
        try {
            var workbook = archive.relations("", MAX_PART).stream()
                    .filter(relation -> relation.isOf("officeDocument"))
                    .map(XlsxArchive.Relation::target)
                    .findFirst()
                    .orElseThrow(XlsxLineReader::noWorkbook);
            var relations = archive.relations(workbook, MAX_PART);
            var sheets = new ArrayList<Sheet>();
            boolean since1904 = sheets(workbook, sheets);
            this.styles = XlsxStyles.read(related(relations, "styles", MAX_PART), since1904);
            this.strings = strings(related(relations, "sharedStrings", MAX_ROW));
            var chosen = chosen(sheets, relations, options.sheet());
            var outline = archive.part(chosen, XlsxOutline.MAX_SIZE).orElseThrow(XlsxLineReader::noWorkbook);
            var known = XlsxOutline.of(outline);
            outline.close();
            this.sheet = archive.part(chosen, MAX_ROW).orElseThrow(XlsxLineReader::noWorkbook);
            header(known);
        } catch (RuntimeException e) {
            archive.close();
            throw e;
        }
    }

    private static MalformedFileException noWorkbook() {
        return new MalformedFileException(1, Text.of("records.transfer.no-xlsx"));
    }

    private record Sheet(String name, String relation, boolean hidden) {}

    /** Adds the sheets, and returns whether days are counted from 1904, as those of old Macs. */
    private boolean sheets(String workbook, List<Sheet> sheets) {
        boolean since1904 = false;
        var part = archive.part(workbook, MAX_PART).orElseThrow(XlsxLineReader::noWorkbook);
        while (part.next(1)) {
            if (!part.isStart()) {
                continue;
            }
            if (part.isNamed("workbookPr")) {
                since1904 = isTrue(part.attribute("date1904"));
            } else if (part.isNamed("sheet")) {
                var state = part.attribute("state");
                sheets.add(new Sheet(
                        XlsxText.restore(String.valueOf(part.attribute("name"))),
                        String.valueOf(part.attribute("id")),
                        state != null && !state.equals("visible")));
            }
        }
        part.close();
        return since1904;
    }

    private XlsxArchive.@Nullable Part related(List<XlsxArchive.Relation> relations, String kind, long limit) {
        return relations.stream()
                .filter(relation -> relation.isOf(kind))
                .findFirst()
                .flatMap(relation -> archive.part(relation.target(), limit))
                .orElse(null);
    }

    private static List<String> strings(XlsxArchive.@Nullable Part part) {
        var strings = new ArrayList<String>();
        long memory = 0;
        while (part != null && part.nextElement("si")) {
            var text = XlsxText.restore(part.text(1));
            memory += STRING_OVERHEAD + 2L * text.length();
            if (memory > MAX_STRINGS) {
                throw new MalformedFileException(1, Text.of("records.transfer.xlsx-strings"));
            }
            strings.add(text);
            part.allow(MAX_ROW);
        }
        if (part != null) {
            part.close();
        }
        return strings;
    }

    /** The sheet of that name, or else the first one that is shown. */
    private static String chosen(List<Sheet> sheets, List<XlsxArchive.Relation> relations, @Nullable String sheetName) {
        var tables = sheets.stream()
                .filter(found -> target(found, relations).isPresent())
                .toList();
        var chosen = sheetName == null
                ? tables.stream().filter(found -> !found.hidden()).findFirst()
                : tables.stream()
                        .filter(found -> found.name().equals(sheetName))
                        .findFirst();
        if (chosen.isEmpty() && sheetName != null) {
            var names = tables.stream().limit(MAX_NAMED_SHEETS).map(Sheet::name).toList();
            throw new MalformedFileException(
                    0, Text.of("records.transfer.no-sheet", "sheet", sheetName, "sheets", String.join(", ", names)));
        }
        return chosen.flatMap(found -> target(found, relations)).orElseThrow(XlsxLineReader::noWorkbook);
    }

    private static Optional<String> target(Sheet sheet, List<XlsxArchive.Relation> relations) {
        return relations.stream()
                .filter(relation -> relation.isOf("worksheet") && relation.id().equals(sheet.relation()))
                .map(XlsxArchive.Relation::target)
                .findFirst();
    }

    private void header(XlsxOutline outline) {
        var written = new HashMap<Long, Map<Integer, String>>();
        var cells = row();
        for (; cells.isPresent() && row < options.firstRow(); cells = row()) {
            if (outline.mayName(row)) {
                written.put(row, names(cells.get()));
            }
        }
        if (cells.isEmpty()) {
            throw new MalformedFileException(options.firstRow(), Text.of("records.transfer.empty-xlsx"));
        }
        written.put(row, names(cells.get()));
        var names = outline.names(row, written);
        columns.addAll(ColumnNames.numbered(
                names.values().stream().map(XlsxOutline.Name::text).toList()));
        names.forEach((place, name) -> {
            if (!name.given()) {
                unnamed.add(columns.get(places.size()));
            }
            places.put(place, places.size());
        });
    }

    /** The texts of the row that was read, by their places. */
    private Map<Integer, String> names(List<SheetCell> cells) {
        var names = new HashMap<Integer, String>();
        for (var cell : cells) {
            var name = cell.value().text().strip();
            if (!Utf8.isStorable(name)) {
                throw new MalformedFileException(row, Text.of("records.transfer.column-unstorable"));
            }
            if (!name.isEmpty()) {
                names.putIfAbsent(cell.column(), name);
            }
        }
        return names;
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
    public Optional<FileLine> next() {
        return row().map(this::line);
    }

    private FileLine line(List<SheetCell> cells) {
        var values = new String[columns.size()];
        var types = new ValueType[columns.size()];
        Arrays.fill(values, "");
        Arrays.fill(types, ValueType.TEXT);
        long length = 0;
        for (var cell : cells) {
            var value = cell.value();
            var fault = cell.fault();
            var place = places.get(cell.column());
            var name = place == null ? ColumnNames.unnamed(cell.column(), columns::contains) : columns.get(place);
            if (ColumnNames.isOurs(name) || options.attribute(name).isEmpty()) {
                continue;
            }
            if (fault != null) {
                return unreadable(cell, fault);
            }
            if (place == null) {
                return unreadable(cell, Text.of("records.transfer.cell-unnamed", "column", name));
            }
            length += value.text().length();
            if (length > MAX_LENGTH) {
                return new FileLine.Unreadable(row, Text.of("records.transfer.too-long"));
            }
            values[place] = value.text();
            types[place] = value.type();
        }
        return new FileLine.Cells(row, List.of(values), List.of(types));
    }

    private FileLine unreadable(SheetCell cell, Text reason) {
        return new FileLine.Unreadable(
                row,
                Text.of(
                        "records.transfer.in-cell",
                        "cell",
                        XlsxRecordWriter.letters(cell.column()) + row,
                        "message",
                        reason));
    }

    /** The cells that are not empty of the next row that has some. */
    private Optional<List<SheetCell>> row() {
        while (true) {
            sheet.allow(MAX_ROW);
            if (!nextRow()) {
                return Optional.empty();
            }
            var given = sheet.attribute("r");
            row = Math.max(row + 1, given == null ? 0 : number(given, 0));
            var cells = cells();
            if (!cells.isEmpty()) {
                return Optional.of(cells);
            }
        }
    }

    private boolean nextRow() {
        while (sheet.next(row + 1)) {
            if (sheet.isStart() && sheet.isNamed("row")) {
                return true;
            }
        }
        return false;
    }

    private List<SheetCell> cells() {
        var cells = new ArrayList<SheetCell>();
        int column = -1;
        while (sheet.next(row) && !(sheet.isEnd() && sheet.isNamed("row"))) {
            if (sheet.isStart() && sheet.isNamed("c")) {
                column = Math.max(column + 1, column(sheet.attribute("r")));
                var cell = cell(column);
                if (cell.fault() == null && cell.value().text().isEmpty()) {
                    continue;
                }
                if (column >= MAX_COLUMNS) {
                    throw new MalformedFileException(
                            row, Text.of("records.transfer.too-many-columns", "max", MAX_COLUMNS));
                }
                cells.add(cell);
            }
        }
        return cells;
    }

    private SheetCell cell(int column) {
        var type = sheet.attribute("t");
        var format = sheet.attribute("s");
        String value = null;
        boolean isOfOneRecord = false;
        while (sheet.next(row) && !(sheet.isEnd() && sheet.isNamed("c"))) {
            if (sheet.isStart()) {
                switch (sheet.name()) {
                    case "v", "is" -> value = sheet.text(row);
                    case "f" -> {
                        isOfOneRecord = true;
                        sheet.text(row);
                    }
                    default -> {}
                }
            }
        }
        if (value == null) {
            return new SheetCell(column, NOTHING, isOfOneRecord ? Text.of("records.transfer.cell-formula") : null);
        }
        try {
            return new SheetCell(column, value(type == null ? "n" : type, value, number(format, 0)), null);
        } catch (InvalidCellException e) {
            return new SheetCell(column, NOTHING, e.reason());
        }
    }

    private CellValue value(String type, String value, int format) throws InvalidCellException {
        return switch (type) {
            case "s" -> {
                int index = number(value.strip(), -1);
                if (index < 0 || index >= strings.size()) {
                    throw new InvalidCellException(Text.of("records.transfer.cell-text"));
                }
                yield new CellValue(ValueType.TEXT, strings.get(index));
            }
            case "b" -> new CellValue(ValueType.BOOL, isTrue(value.strip()) ? "true" : "false");
            case "e" ->
                throw new InvalidCellException(
                        Text.of("records.transfer.cell-error", "error", Utf8.storable(value, 20)));
            case "d" ->
                new CellValue(DateParser.isLikelyDay(value) ? ValueType.DATE : ValueType.DATETIME, value.strip());
            case "n" -> styles.value(value.strip(), format);
            default -> new CellValue(ValueType.TEXT, XlsxText.restore(value));
        };
    }

    private static boolean isTrue(@Nullable String value) {
        return "1".equals(value) || "true".equals(value);
    }

    /** The place of a cell's column, from 0: A is 0, AA is 26; -1 if it is not said. */
    static int column(@Nullable String reference) {
        int column = 0;
        for (int i = 0; reference != null && i < Math.min(reference.length(), 5); i++) {
            char letter = reference.charAt(i);
            if (letter < 'A' || letter > 'Z') {
                break;
            }
            column = column * 26 + letter - 'A' + 1;
        }
        return column - 1;
    }

    static int number(@Nullable String digits, int otherwise) {
        return digits != null && digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : otherwise;
    }

    @Override
    public long unpacked(long streamed) {
        return sheet.position();
    }

    @Override
    public long position(long streamed) {
        return Math.round(archive.size() * sheet.progress());
    }

    @Override
    public void close() {
        archive.close();
    }
}
