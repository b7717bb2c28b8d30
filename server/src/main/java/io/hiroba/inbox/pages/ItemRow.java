package io.hiroba.inbox.pages;

import io.hiroba.inbox.ItemState;
import io.hiroba.platform.i18n.Text;
import org.jspecify.annotations.Nullable;

/**
 * An item in a list.
 *
 * @param kind the type of its resource, for styles
 * @param noun the type of its resource, in words
 * @param href the URL of its resource
 * @param isForeign whether that is on another site
 * @param resourceState the state of its resource, unless that is the usual one
 * @param namespaceUrl the list of the items in its namespace
 * @param snoozeEvents the events which it may be snoozed until, with spaces between them
 * @param snoozeUrl the page that snoozes it
 * @param note the end of its snooze, or how it was resolved
 * @param approval what it asks for, if that is an approval that is not decided
 */
public record ItemRow(
        String id,
        String icon,
        String kind,
        Text noun,
        String title,
        @Nullable String href,
        boolean isForeign,
        @Nullable Text resourceState,
        ItemText text,
        String path,
        String namespaceUrl,
        Time time,
        ItemState state,
        boolean isRead,
        boolean isSaved,
        String snoozeEvents,
        String snoozeUrl,
        @Nullable String note,
        @Nullable Approval approval) {

    /** The approval that an item asks for. */
    public record Approval(
            @Nullable String workflow, @Nullable Deadline deadline) {}

    /**
     * The deadline of an approval.
     *
     * @param level {@code later}, {@code soon} or {@code overdue}, for styles
     */
    public record Deadline(String level, Text text, String exact, String iso) {}

    /** The time at which an item was created: relative, exact and ISO 8601. */
    public record Time(String ago, String exact, String iso) {}

    public boolean isDone() {
        return state == ItemState.DONE;
    }

    public boolean isSnoozed() {
        return state == ItemState.SNOOZED;
    }
}
