package io.hiroba.activity.digest;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How often somebody wants to be told by mail. */
public enum Digest {
    OFF,
    DAILY,
    WEEKLY;

    /** As it stands in settings, the table and the API. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Digest> find(String text) {
        return Arrays.stream(values())
                .filter(digest -> digest.text().equals(text))
                .findAny();
    }
}
