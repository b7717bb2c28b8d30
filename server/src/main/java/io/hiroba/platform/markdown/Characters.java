package io.hiroba.platform.markdown;

import java.text.BreakIterator;
import java.util.Locale;

/** Rules about single characters: which are kept, and where a text may be cut. */
public final class Characters {

    private static final char REPLACEMENT = '\uFFFD';

    private Characters() {}

    /**
     * The text without characters that PostgreSQL or JSON cannot store: control characters become spaces, unpaired surrogates
     * the replacement character, and every end of line a line feed.
     */
    public static String clean(String text) {
        var clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                clean.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                clean.append(REPLACEMENT);
            } else if (c == '\r') {
                if (i + 1 == text.length() || text.charAt(i + 1) != '\n') {
                    clean.append('\n');
                }
            } else if (Character.isISOControl(c) && c != '\n' && c != '\t') {
                clean.append(' ');
            } else {
                clean.append(c);
            }
        }
        return clean.toString();
    }

    /** The last boundary of a grapheme cluster at or before {@code index}. */
    static int boundaryAtOrBefore(String text, int index) {
        if (index >= text.length()) {
            return text.length();
        }
        // Whether two characters belong together shows in the first of the second, so nothing beyond it is looked at.
        int end = Math.min(text.length(), index + Character.charCount(text.codePointAt(index)));
        var graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
        graphemes.setText(text.substring(0, end));
        return graphemes.isBoundary(index) ? index : graphemes.preceding(index);
    }

    /** The beginning of a text, of at most so many code points. */
    public static String atMost(String text, int codePoints) {
        if (text.codePointCount(0, text.length()) <= codePoints) {
            return text;
        }
        return text.substring(0, boundaryAtOrBefore(text, text.offsetByCodePoints(0, codePoints)));
    }
}
