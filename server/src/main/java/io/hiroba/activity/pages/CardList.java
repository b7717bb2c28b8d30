package io.hiroba.activity.pages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unread or the read cards, or a later page of them.
 *
 * @param more the address of the next page, if there may be one
 */
public record CardList(
        boolean isRead, List<CardItem> items, @Nullable String more) {

    public CardList {
        items = List.copyOf(items);
    }

    /** As the address of a page and the page itself name it. */
    public String state() {
        return isRead ? "read" : "unread";
    }

    public String heading() {
        return isRead ? "Earlier" : "New";
    }
}
