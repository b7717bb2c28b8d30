package io.hiroba.activity;

import io.hiroba.platform.i18n.Text;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The frequency of digest mails. */
public enum DigestFrequency {
    OFF,
    DAILY,
    WEEKLY;

    /** As settings, the table and the API write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Text label() {
        return Text.of("activity.frequency." + text());
    }

    static Optional<DigestFrequency> find(String text) {
        return Arrays.stream(values())
                .filter(digest -> digest.text().equals(text))
                .findAny();
    }
}
