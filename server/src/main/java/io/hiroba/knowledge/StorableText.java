package io.hiroba.knowledge;

import io.hiroba.platform.markdown.Characters;
import java.util.regex.Pattern;

/** Cleans texts of characters that the database cannot store. */
public final class StorableText {

    /** Ends of lines, and signs that turn the direction of what follows: two names would read alike. */
    private static final Pattern UNSEEN =
            Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]+");

    private StorableText() {}

    /** As {@link Characters#clean}; a form feed becomes a line break. */
    public static String of(String text) {
        return Characters.clean(text.replace('\f', '\n'));
    }

    /** As above, for a name: one line, without blanks around it. */
    static String line(String text) {
        return UNSEEN.matcher(of(text)).replaceAll(" ").strip();
    }
}
