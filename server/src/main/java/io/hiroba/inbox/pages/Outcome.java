package io.hiroba.inbox.pages;

import io.hiroba.inbox.items.Counts;
import java.util.List;

/**
 * What an act has done, for a page that is open.
 *
 * @param gone the items that are not in its list any more
 * @param rows those that still are, as they are now
 * @param undo how to take it back, in a form; none where it cannot be
 */
public record Outcome(String says, Counts counts, List<String> gone, List<ItemRow> rows, List<String> undo) {

    /** As scripts read them. */
    public String goneText() {
        return String.join(" ", gone);
    }

    public String undoText() {
        return String.join(",", undo);
    }
}
