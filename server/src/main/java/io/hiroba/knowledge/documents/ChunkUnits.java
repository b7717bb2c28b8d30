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

    ChunkUnits(int max) {
        this.max = max;
    }

    /** Starts a section with these headings before its blocks. */
    void begin(List<String> headings) {
        paragraph = 0;
        headings.forEach(heading -> whole(heading, BLOCK, null));
    }

    void add(Block block) {
        switch (block) {
            case Block.Text text -> whole(text.text(), BLOCK, null);
            case Block.Code code -> whole(code.text(), BLOCK, null);
            case Block.Items items -> lines(items.items());
            case Block.Table table -> table(table);
            case Block.Message message ->
                whole(message.text(), LINE, new Unit.Spoken(message.index(), message.id(), message.url()));
        }
        paragraph++;
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
            add(all, BLOCK, null);
            return;
        }
        var glue = BLOCK;
        for (var line : lines) {
            whole(line, glue, null);
            glue = LINE;
        }
    }

    /** Each part of a split table begins with the header row. */
    private void table(Block.Table table) {
        var head = table.head().isEmpty() ? "" : table.head() + LINE;
        int room = max - TokenCounter.count(head) - 1;
        if (room < max / 2) {
            // Too large a header explains nothing.
            whole(head.strip(), BLOCK, null);
            lines(table.rows());
            return;
        }
        var part = new StringBuilder();
        int tokens = 0;
        for (var row : table.rows()) {
            for (var piece : pieces(row, room)) {
                int count = TokenCounter.count(piece) + 1;
                if (tokens + count > room && !part.isEmpty()) {
                    add(head + part, BLOCK, null);
                    part.setLength(0);
                    tokens = 0;
                }
                part.append(part.isEmpty() ? "" : LINE).append(piece);
                tokens += count;
            }
        }
        if (!part.isEmpty() || !head.isEmpty()) {
            add((head + part).strip(), BLOCK, null);
        }
    }

    private void whole(String text, String glue, Unit.@Nullable Spoken message) {
        pieces(text, max).forEach(piece -> add(piece, glue, message));
    }

    private static List<String> pieces(String text, int max) {
        return TokenCounter.fit(text, max) ? List.of(text) : TextSplitter.split(text, max);
    }

    private void add(String text, String glue, Unit.@Nullable Spoken message) {
        if (text.isBlank()) {
            return;
        }
        int start = at == 0 ? 0 : at + glue.length();
        units.add(new Unit(text, glue, paragraph, start, TokenCounter.count(text), message));
        at = start + text.length();
    }

    /**
     * A unit of text that no chunk boundary splits.
     *
     * @param glue what stands between it and the one before, if both are in one chunk
     * @param paragraph the place of its block in the section, from 0
     * @param start where in the document's text it begins
     * @param message the first message it contains, if it is of a chat
     */
    record Unit(String text, String glue, int paragraph, int start, int tokens, Unit.@Nullable Spoken message) {

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
