package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxCounts;
import java.util.List;

/**
 * The result of an action, for an open page.
 *
 * @param gone the items that are not in its list any more
 * @param rows those that still are, as they are now
 * @param undo how to take it back, in a form; none where it cannot be
 */
public record ItemActionResult(
        String says, InboxCounts counts, List<String> gone, List<ItemRow> rows, List<String> undo) {

    /** As scripts read them. */
    public String goneText() {
        return String.join(" ", gone);
    }

    public String undoText() {
        return String.join(",", undo);
    }
}
