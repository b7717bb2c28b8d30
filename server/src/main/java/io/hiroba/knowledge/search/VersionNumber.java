package io.hiroba.knowledge.search;

import java.util.Optional;
import java.util.regex.Pattern;

/** The spellings of a version, which are terms of their own: {@code 4.12.3} and {@code v4.12.3}. */
final class VersionNumber {

    private static final Pattern VERSION = Pattern.compile("(v?)(\\d+(?:\\.\\d+)+)");

    private VersionNumber() {}

    /** The other spelling of a term; empty if it is no version. */
    static Optional<String> otherSpelling(String term) {
        var version = VERSION.matcher(term);
        return version.matches()
                ? Optional.of(version.group(1).isEmpty() ? "v" + term : version.group(2))
                : Optional.empty();
    }

    /** The term by which both spellings are compared. */
    static String plain(String term) {
        var version = VERSION.matcher(term);
        return version.matches() ? version.group(2) : term;
    }
}
