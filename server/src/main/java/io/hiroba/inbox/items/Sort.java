package io.hiroba.inbox.items;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The order of a list of items. */
public enum Sort {
    /** What has come or come back last is first; of what is snoozed, what comes back first. */
    RECOMMENDED,
    NEWEST,
    OLDEST;

    /** The name at every interface, for example {@code newest}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Sort> find(String text) {
        return Stream.of(values()).filter(sort -> sort.text().equals(text)).findFirst();
    }
}
