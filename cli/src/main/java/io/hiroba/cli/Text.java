package io.hiroba.cli;

import java.text.BreakIterator;
import java.util.Locale;

/** Measures and cleans text for terminals. */
final class Text {

    private Text() {}

    /** {@code text} without control characters; line breaks stay, tabs become spaces. */
    static String printable(String text) {
        return text.replace("\t", "    ")
                .codePoints()
                .map(c -> (Character.isISOControl(c) && c != '\n') || isDirection(c) ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** {@code text} on a single line. */
    static String cell(String text) {
        return printable(text.replaceAll("\\R", " "));
    }

    /**
     * The columns of {@code text} on a terminal: two for a wide character, one for a grapheme of several code points.
     */
    static int width(String text) {
        var signs = BreakIterator.getCharacterInstance(Locale.ROOT);
        signs.setText(text);
        int width = 0;
        for (int from = signs.first(), to = signs.next(); to != BreakIterator.DONE; from = to, to = signs.next()) {
            width += text.substring(from, to)
                    .codePoints()
                    .map(Text::columns)
                    .max()
                    .orElse(0);
        }
        return width;
    }

    private static int columns(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    /** Overrides of the writing direction could make one name look like another. */
    private static boolean isDirection(int c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }

    private static boolean isWide(int c) {
        return Character.isEmojiPresentation(c)
                || (c >= 0x1100 && c <= 0x115F)
                || (c >= 0x2E80 && c <= 0x303E)
                || (c >= 0x3041 && c <= 0xA4CF && !(c >= 0x4DC0 && c <= 0x4DFF))
                || (c >= 0xA960 && c <= 0xA97F)
                || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xF900 && c <= 0xFAFF)
                || (c >= 0xFE30 && c <= 0xFE6F)
                || (c >= 0xFF01 && c <= 0xFF60)
                || (c >= 0xFFE0 && c <= 0xFFE6)
                || (c >= 0x1B000 && c <= 0x1B2FF)
                || (c >= 0x20000 && c <= 0x3FFFD);
    }
}
