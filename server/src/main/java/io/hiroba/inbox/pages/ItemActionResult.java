package io.hiroba.inbox.pages;

import io.hiroba.inbox.InboxCounts;
import java.util.List;

/**
 * The result of an action, for an open page.
 *
 * @param removed the changed items that the list no longer holds
 * @param rows the other changed items
 * @param undo the steps that undo it; empty if it cannot be undone by steps
 * @param run what the undo of marking all as done names; empty for other actions
 */
public record ItemActionResult(
        String message, InboxCounts counts, List<String> removed, List<ItemRow> rows, List<String> undo, String run) {

    public String removedText() {
        return String.join(" ", removed);
    }

    public String undoText() {
        return String.join(",", undo);
    }
}
