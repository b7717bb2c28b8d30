package io.hiroba.knowledge.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of a document that is being parsed, a line of text for each row; a table in one of its cells is text of the cell. */
final class OpenTable {

    private final List<String> rows = new ArrayList<>();
    private final List<String> cells = new ArrayList<>();
    private final StringBuilder cell = new StringBuilder();
    private int depth;

    boolean isOpen() {
        return depth > 0;
    }

    /** True for a table that is in no other. */
    boolean begin() {
        if (depth++ > 0) {
            return false;
        }
        rows.clear();
        return true;
    }

    /** Adds a paragraph to the cell. */
    void add(String paragraph) {
        cell.append(paragraph).append(' ');
    }

    void endCell() {
        if (depth == 1) {
            cells.add(cell.toString().strip().replaceAll("\\s+", " "));
            cell.setLength(0);
        }
    }

    void endRow() {
        if (depth == 1) {
            BlockLimit.check(rows.size());
            rows.add(String.join(" | ", cells));
            cells.clear();
        }
    }

    /** The whole table; none for one in another, or without rows. */
    Optional<Block.Table> end() {
        return --depth == 0 && !rows.isEmpty()
                ? Optional.of(new Block.Table(rows.getFirst(), rows.subList(1, rows.size())))
                : Optional.empty();
    }
}
