package io.hiroba.platform.text;

import java.lang.Character.UnicodeScript;
import java.text.BreakIterator;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/**
 * A text normalised for analysis, with the offsets of its characters in the text as written: widths and ligatures are
 * unified (NFKC), and what joins words without being part of them becomes a space.
 */
final class Folding {

    private static final char SOFT_HYPHEN = '\u00AD';

    private final StringBuilder text;

    /** Where each character stands in the text as written; not kept where that is the same place. */
    private final boolean moved;

    private int[] starts;
    private int[] ends;

    private Folding(int length) {
        this.text = new StringBuilder(length + 16);
        this.moved = true;
        this.starts = new int[length + 16];
        this.ends = new int[length + 16];
    }

    private Folding(StringBuilder text) {
        this.text = text;
        this.moved = false;
        this.starts = new int[0];
        this.ends = new int[0];
    }

    static Folding of(String written) {
        return isAscii(written) ? ascii(written) : any(written);
    }

    private static boolean isAscii(String written) {
        for (int i = 0; i < written.length(); i++) {
            if (written.charAt(i) > 0x7F) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #any}, for texts in which every character folds to one, so that offsets are not needed. */
    private static Folding ascii(String written) {
        var text = new StringBuilder(written);
        for (int i = 0; i < written.length(); i++) {
            if (Character.isISOControl(written.charAt(i)) || joins(written, i)) {
                text.setCharAt(i, ' ');
            }
        }
        return new Folding(text);
    }

    static Folding any(String written) {
        var folding = new Folding(written.length());
        var clean = clean(written);
        if (Normalizer.isNormalized(clean, Normalizer.Form.NFKC)) {
            folding.copy(clean, 0, clean.length());
        } else {
            folding.normalize(clean);
        }
        folding.partWords();
        return folding;
    }

    /** One spelling for names that are compared as a whole, such as labels. */
    static String name(String written) {
        return Normalizer.normalize(clean(written), Normalizer.Form.NFKC)
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    String text() {
        return text.toString();
    }

    /** Where the character at {@code index} begins in the text as written. */
    int start(int index) {
        return moved ? starts[index] : index;
    }

    /** Where the character before {@code end} ends in the text as written. */
    int end(int end) {
        return moved ? ends[end - 1] : end;
    }

    /** Replaces characters that the database cannot store, one by one. */
    static String clean(String written) {
        var clean = new StringBuilder(written);
        for (int i = 0; i < clean.length(); i++) {
            char c = clean.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < clean.length()
                    && Character.isLowSurrogate(clean.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                clean.setCharAt(i, '\uFFFD');
            } else if (Character.isISOControl(c)) {
                clean.setCharAt(i, ' ');
            }
        }
        return clean.toString();
    }

    // By what a reader sees as one character: each stands for itself, so that a word cut out of a text folds as in it.
    private void normalize(String clean) {
        var graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
        graphemes.setText(clean);
        int from = graphemes.first();
        for (int to = graphemes.next(); to != BreakIterator.DONE; from = to, to = graphemes.next()) {
            var one = clean.substring(from, to);
            var folded = Normalizer.normalize(one, Normalizer.Form.NFKC);
            if (folded.equals(one)) {
                copy(clean, from, to);
            } else {
                // A sign that stands for words, such as one for "1月", is no part of the word beside it.
                boolean word = Character.isLetterOrDigit(one.codePointAt(0)) && folded.indexOf(' ') < 0;
                var apart = word ? folded : " " + folded + " ";
                for (int i = 0; i < apart.length(); i++) {
                    append(apart.charAt(i), from, to);
                }
            }
        }
    }

    private void copy(String clean, int from, int to) {
        for (int i = from; i < to; i++) {
            append(clean.charAt(i), i, i + 1);
        }
    }

    private void append(char c, int start, int end) {
        int at = text.length();
        if (at == starts.length) {
            starts = Arrays.copyOf(starts, at * 2);
            ends = Arrays.copyOf(ends, at * 2);
        }
        text.append(c);
        starts[at] = start;
        ends[at] = end;
    }

    /**
     * Parts what the rules for words would take as one: {@code io.hiroba}, {@code user_id}, {@code note:this}, and
     * Korean particles behind foreign words. Numbers keep their points.
     */
    private void partWords() {
        var before = text.toString();
        int length = before.length();
        var oldStarts = Arrays.copyOf(starts, length);
        var oldEnds = Arrays.copyOf(ends, length);
        text.setLength(0);
        for (int i = 0; i < length; i++) {
            char c = before.charAt(i);
            if (i > 0 && hangul(c) != hangul(before.charAt(i - 1)) && Character.isLetterOrDigit(c)) {
                append(' ', oldStarts[i], oldStarts[i]);
            }
            if (c != SOFT_HYPHEN) {
                append(joins(before, i) ? ' ' : c, oldStarts[i], oldEnds[i]);
            }
        }
    }

    private static boolean joins(String folded, int i) {
        return switch (folded.charAt(i)) {
            case '_', ':', '\u00B7', '\u2027', '\u203F', '\u2040', '\u2054', '\uFE13' -> true;
            case '.' -> !(digit(folded, i - 1) && digit(folded, i + 1));
            default -> false;
        };
    }

    private static boolean digit(String folded, int i) {
        return i >= 0 && i < folded.length() && Character.isDigit(folded.charAt(i));
    }

    private static boolean hangul(char c) {
        return c >= '\u1100' && UnicodeScript.of(c) == UnicodeScript.HANGUL;
    }
}
