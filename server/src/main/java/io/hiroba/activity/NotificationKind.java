package io.hiroba.activity;

import io.hiroba.platform.i18n.Text;
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

    /** When its notifications are sent, for the settings. */
    public Text label() {
        return Text.of("activity.notify." + text());
    }

    static Optional<NotificationKind> find(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findAny();
    }

    /** Whether its acts are posts, so that one person can count several times. */
    public boolean hasPosts() {
        return this == REPLY || this == MENTION;
    }
}
