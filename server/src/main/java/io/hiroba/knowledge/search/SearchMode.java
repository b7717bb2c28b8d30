package io.hiroba.knowledge.search;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A mode of search. */
public enum SearchMode {
    /** By meaning and by words. */
    HYBRID,
    /** By meaning. */
    VECTOR,
    /** By words. */
    KEYWORD;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<SearchMode> of(String text) {
        return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
    }
}
