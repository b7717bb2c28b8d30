package io.hiroba.activity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody can be told of. */
public enum Kind {
    FOLLOW,
    LIKE,
    REPLY,
    MENTION;

    /** As it stands in slots, settings and the API. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Kind> find(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findAny();
    }

    /** Whether its acts are posts, so that one person can count several times. */
    public boolean tellsOfPosts() {
        return this == REPLY || this == MENTION;
    }
}
