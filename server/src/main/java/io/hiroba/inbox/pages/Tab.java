package io.hiroba.inbox.pages;

import org.jspecify.annotations.Nullable;

/**
 * One of the lists of the inbox, as a tab.
 *
 * @param name as the address and the counts name it
 */
public record Tab(String name, String label, String address, long count, boolean isCurrent) {

    /** The value of {@code aria-current} of its link. */
    public @Nullable String current() {
        return isCurrent ? "page" : null;
    }
}
