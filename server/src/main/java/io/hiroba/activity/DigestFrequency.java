package io.hiroba.activity;

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

    static Optional<DigestFrequency> find(String text) {
        return Arrays.stream(values())
                .filter(digest -> digest.text().equals(text))
                .findAny();
    }
}
