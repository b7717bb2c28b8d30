package io.hiroba.inbox;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The order of a list of items. */
public enum ItemSort {
    /** The items that were created or woken last come first; of snoozed items, those that wake first. */
    RECOMMENDED,
    NEWEST,
    OLDEST;

    /** The name at every interface, for example {@code newest}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ItemSort> find(String text) {
        return Stream.of(values()).filter(sort -> sort.text().equals(text)).findFirst();
    }
}
