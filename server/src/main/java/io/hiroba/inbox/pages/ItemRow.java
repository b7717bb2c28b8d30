package io.hiroba.inbox.pages;

import io.hiroba.inbox.ItemState;
import org.jspecify.annotations.Nullable;

/**
 * An item in a list.
 *
 * @param kind the type of what it is about, for styles
 * @param noun what it is about, in words
 * @param href where it leads, if anywhere
 * @param isForeign whether that is another site
 * @param condition how what it is about stands, unless that is plain
 * @param place where the list of its namespace is
 * @param putOff where until when it is put off can be chosen
 * @param note until when it is put off, or how it came to be done
 */
public record ItemRow(
        String id,
        String icon,
        String kind,
        String noun,
        String title,
        @Nullable String href,
        boolean isForeign,
        @Nullable String condition,
        ItemText wording,
        String path,
        String place,
        Time time,
        ItemState state,
        boolean isRead,
        boolean isSaved,
        String putOff,
        @Nullable String note) {

    /** The time at which an item was created: relative, exact and ISO 8601. */
    public record Time(String ago, String exact, String iso) {}

    public boolean isDone() {
        return state == ItemState.DONE;
    }

    public boolean isSnoozed() {
        return state == ItemState.SNOOZED;
    }
}
