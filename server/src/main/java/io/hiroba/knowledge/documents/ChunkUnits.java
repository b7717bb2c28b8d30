package io.hiroba.knowledge.documents;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits the blocks of a document into units that fit into a chunk. */
final class ChunkUnits {

    private static final String BLOCK = "\n\n";
    private static final String LINE = "\n";

    private final int max;
    private final List<Unit> units = new ArrayList<>();
    private int at;
    private int paragraph;
    /** The tokens of the headings before the first block. */
    private int lead;

    ChunkUnits(int max) {
        this.max = max;
    }

    /** Starts a section with these headings before its blocks. */
    void begin(List<String> headings) {
        paragraph = 0;
        headings.forEach(heading -> whole(heading, BLOCK));
        lead = units.stream().mapToInt(unit -> unit.tokens() + 1).sum();
    }

    void add(Block block) {
        switch (block) {
            case Block.Text text -> whole(text.text(), BLOCK);
            case Block.Code code -> listing(code);
            case Block.Items items -> lines(items.items());
            case Block.Table table -> table(table);
            case Block.Message message ->
                pieces(message.text(), max)
                        .forEach(piece -> add(
                                piece, LINE, Spot.of(new Unit.Spoken(message.index(), message.id(), message.url()))));
        }
        paragraph++;
        lead = 0;
    }

    /** Returns and removes the units so far. */
    List<Unit> drain() {
        var drained = List.copyOf(units);
        units.clear();
        return drained;
    }

    private void lines(List<String> lines) {
        var all = String.join(LINE, lines);
        if (TokenCounter.fit(all, max)) {
            add(all, BLOCK, Spot.NONE);
            return;
        }
        var glue = BLOCK;
        for (var line : lines) {
            whole(line, glue);
            glue = LINE;
        }
    }

    /** Each part of a split table begins with the header row. */
    private void table(Block.Table table) {
        var head = table.head().isEmpty() ? "" : table.head() + LINE;
        int room = max - TokenCounter.count(head) - 1;
        if (room < max / 2) {
            // Too large a header explains nothing.
            whole(head.strip(), BLOCK);
            lines(table.rows());
            return;
        }
        var part = new StringBuilder();
        int tokens = 0;
        int first = 0;
        int last = 0;
        // The headings stand in one chunk with the first rows, not in one of their own.
        int left = lead < room / 2 ? room - lead : room;
        for (int i = 0; i < table.rows().size(); i++) {
            for (var piece : pieces(table.rows().get(i), room)) {
                int count = TokenCounter.count(piece) + 1;
                if (tokens + count > left && !part.isEmpty()) {
                    add(head + part, BLOCK, rows(table, first, last));
                    part.setLength(0);
                    tokens = 0;
                    left = room;
                }
                first = part.isEmpty() ? i : first;
                last = i;
                part.append(part.isEmpty() ? "" : LINE).append(piece);
                tokens += count;
            }
        }
        if (!part.isEmpty() || !head.isEmpty()) {
            add((head + part).strip(), BLOCK, rows(table, first, last));
        }
    }

    private static Spot rows(Block.Table table, int first, int last) {
        var numbers = table.numbers();
        return numbers.isEmpty() ? Spot.NONE : Spot.of(new Unit.Range("row", numbers.get(first), numbers.get(last)));
    }

    /** Each part of a split listing knows its lines. */
    private void listing(Block.Code code) {
        int from = 0;
        int line = code.firstLine();
        for (var piece : pieces(code.text(), max)) {
            int start = Math.max(from, code.text().indexOf(piece, from));
            line += lineBreaks(code.text(), from, start);
            int lines = lineBreaks(piece, 0, piece.length());
            add(piece, BLOCK, code.firstLine() == 0 ? Spot.NONE : Spot.of(new Unit.Range("line", line, line + lines)));
            line += lines;
            from = Math.min(start + piece.length(), code.text().length());
        }
    }

    private static int lineBreaks(String text, int from, int to) {
        return (int) text.substring(from, to).chars().filter(c -> c == '\n').count();
    }

    private void whole(String text, String glue) {
        pieces(text, max).forEach(piece -> add(piece, glue, Spot.NONE));
    }

    private static List<String> pieces(String text, int max) {
        return TokenCounter.fit(text, max) ? List.of(text) : TextSplitter.split(text, max);
    }

    /** The message, or the rows or lines, that a text is of. */
    private record Spot(Unit.@Nullable Spoken message, Unit.@Nullable Range range) {

        static final Spot NONE = new Spot(null, null);

        static Spot of(Unit.Spoken message) {
            return new Spot(message, null);
        }

        static Spot of(Unit.Range range) {
            return new Spot(null, range);
        }
    }

    private void add(String text, String glue, Spot spot) {
        if (text.isBlank()) {
            return;
        }
        int start = at == 0 ? 0 : at + glue.length();
        units.add(new Unit(text, glue, paragraph, start, TokenCounter.count(text), spot.message(), spot.range()));
        at = start + text.length();
    }

    /**
     * A unit of text that no chunk boundary splits.
     *
     * @param glue what stands between it and the one before, if both are in one chunk
     * @param paragraph the place of its block in the section, from 0
     * @param start where in the document's text it begins
     * @param message the first message it contains, if it is of a chat
     * @param range the rows or lines it contains, if they are counted
     */
    record Unit(
            String text,
            String glue,
            int paragraph,
            int start,
            int tokens,
            Unit.@Nullable Spoken message,
            Unit.@Nullable Range range) {

        /** The rows of a table or the lines of a file, as people count them. */
        record Range(String kind, int first, int last) {}

        /** The part of a message that a location names. */
        record Spoken(
                int index, @Nullable String id, @Nullable String url) {}

        int end() {
            return start + text.length();
        }

        /** Whether a chunk that is large enough ends behind it. The text alone decides, so the same text ends it again. */
        boolean isBoundary() {
            int hash = text.hashCode();
            return ((hash ^ (hash >>> 16)) & 1) == 0;
        }
    }
}
