package io.hiroba.knowledge.search;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A mode of search. */
public enum SearchMode {
    /** By vector and by keyword. */
    HYBRID,
    /** By vector. */
    VECTOR,
    /** By keyword. */
    KEYWORD;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<SearchMode> of(String text) {
        return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
    }
}
