package io.hiroba.records.transfer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The columns of a sheet that have values, and its merged cells, as far as its beginning tells. */
final class XlsxOutline {

    /** What is unpacked of a sheet at most. */
    static final long MAX_SIZE = 24L << 20;

    private static final int MAX_ROWS = ImportPreviewer.LOOKED_AT;
    private static final int MAX_MERGED = 10_000;

    /** The last row with a value, by the places of columns. */
    private final Map<Integer, Long> lastRows = new HashMap<>();

    private final List<Merged> merged = new ArrayList<>();

    private XlsxOutline() {}

    /** Cells that are shown as one, with the value of the first of them. */
    private record Merged(long top, int left, long bottom, int right) {

        boolean covers(long row) {
            return top <= row && row <= bottom;
        }
    }

    /**
     * The name of a column.
     *
     * @param given whether the file has it for this column
     */
    record Name(String text, boolean given) {}

    static XlsxOutline of(XlsxArchive.Part sheet) {
        var outline = new XlsxOutline();
        try {
            outline.read(sheet);
        } catch (MalformedFileException e) {
            // Told by whoever reads the rows.
        }
        return outline;
    }

    private void read(XlsxArchive.Part sheet) {
        long row = 0;
        int column = -1;
        for (int rows = 0; rows <= MAX_ROWS && sheet.next(row + 1); ) {
            if (!sheet.isStart()) {
                continue;
            }
            switch (sheet.name()) {
                case "row" -> {
                    row = Math.max(row + 1, XlsxLineReader.number(sheet.attribute("r"), 0));
                    column = -1;
                    rows++;
                }
                case "c" -> column = Math.max(column + 1, XlsxLineReader.column(sheet.attribute("r")));
                case "v", "is" -> {
                    if (column < XlsxLineReader.MAX_COLUMNS) {
                        lastRows.put(column, row);
                    }
                }
                case "mergeCell" -> merged(String.valueOf(sheet.attribute("ref")));
                default -> {}
            }
        }
    }

    /** Adds the cells of a reference such as {@code B1:C1}. */
    private void merged(String cells) {
        int colon = cells.indexOf(':');
        var from = cells.substring(0, Math.max(colon, 0));
        var to = cells.substring(colon + 1);
        int left = XlsxLineReader.column(from);
        int right = XlsxLineReader.column(to);
        if (merged.size() < MAX_MERGED && left >= 0 && left <= right && right < XlsxLineReader.MAX_COLUMNS) {
            merged.add(new Merged(row(from), left, row(to), right));
        }
    }

    private static int row(String reference) {
        return XlsxLineReader.number(reference.replaceFirst("^[A-Z]+", ""), 0);
    }

    /** Whether names of columns may stand in {@code row}, in cells that go on below it. */
    boolean mayName(long row) {
        return merged.stream().anyMatch(each -> each.top() == row && each.bottom() > row);
    }

    /**
     * The names of the columns by their places: those that are written, those of merged cells, and for other columns with values what
     * number they have.
     *
     * @param written the texts of the rows up to that of the names, by row and place
     */
    NavigableMap<Integer, Name> names(long row, Map<Long, Map<Integer, String>> written) {
        var names = new TreeMap<Integer, Name>();
        written.getOrDefault(row, Map.of()).forEach((place, text) -> names.put(place, new Name(text, true)));
        for (var cells : merged) {
            var text = written.getOrDefault(cells.top(), Map.of()).get(cells.left());
            for (int place = cells.left(); text != null && cells.covers(row) && place <= cells.right(); place++) {
                names.putIfAbsent(place, new Name(text, place == cells.left()));
            }
        }
        var given = names.values().stream().map(Name::text).collect(Collectors.toSet());
        lastRows.forEach((place, last) -> {
            if (last > row && !names.containsKey(place)) {
                names.put(place, new Name(ColumnNames.unnamed(place, given::contains), false));
            }
        });
        return names;
    }
}
