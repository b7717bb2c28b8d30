package io.hiroba.activity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of acts that people are notified of. */
public enum NotificationKind {
    FOLLOW,
    LIKE,
    REPLY,
    MENTION;

    /** As slots, settings and the API write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<NotificationKind> find(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findAny();
    }

    /** Whether its acts are posts, so that one person can count several times. */
    public boolean hasPosts() {
        return this == REPLY || this == MENTION;
    }
}
