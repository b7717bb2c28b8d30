package io.hiroba.platform.i18n;

import java.util.ArrayDeque;

/**
 * The direction in which a text is read, as far as the text sets it by signs of its own: embeddings and overrides (U+202A to U+202E),
 * and isolates (U+2066 to U+2069). One that is left open turns what comes after the text as well.
 */
public final class TextDirection {

    private static final char END_OF_EMBEDDING = '\u202C';
    private static final char LAST_EMBEDDING = '\u202E';
    private static final char FIRST_STRONG_ISOLATE = '\u2068';
    private static final char END_OF_ISOLATE = '\u2069';

    private TextDirection() {}

    /** Whether the text has signs that set its direction. */
    public static boolean isSet(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isSign(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSign(char c) {
        return c >= '\u202A' && (c <= LAST_EMBEDDING || (c >= '\u2066' && c <= END_OF_ISOLATE));
    }

    /** The text so that its signs have no effect on what is put around it; the same text where it has none. */
    public static String isolated(String text) {
        if (!isSet(text)) {
            return text;
        }
        var result = new StringBuilder(text.length() + 8).append(FIRST_STRONG_ISOLATE);
        var open = new ArrayDeque<Character>();
        for (int i = 0; i < text.length(); i++) {
            append(text.charAt(i), result, open);
        }
        open.forEach(result::append);
        return result.append(END_OF_ISOLATE).toString();
    }

    /** Leaves out an end of what the text did not begin; with an isolate ends what was begun in it. */
    private static void append(char c, StringBuilder result, ArrayDeque<Character> open) {
        switch (c) {
            case END_OF_EMBEDDING -> {
                if (!open.isEmpty() && open.getFirst() == END_OF_EMBEDDING) {
                    result.append(open.pop());
                }
            }
            case END_OF_ISOLATE -> {
                if (open.contains(END_OF_ISOLATE)) {
                    while (open.getFirst() == END_OF_EMBEDDING) {
                        result.append(open.pop());
                    }
                    result.append(open.pop());
                }
            }
            default -> {
                result.append(c);
                if (isSign(c)) {
                    open.push(c <= LAST_EMBEDDING ? END_OF_EMBEDDING : END_OF_ISOLATE);
                }
            }
        }
    }
}
