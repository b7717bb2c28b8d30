package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
import java.text.Normalizer;

/**
 * The display name of a user, which need not be unique: one line of 1 to {@value #MAX_LENGTH} characters, composed (NFC)
 * so that equal looks are equal texts.
 */
public record Nickname(String value) {

    public static final int MAX_LENGTH = 50;

    public Nickname {
        if (!value.equals(normalise(value)) || !isVisibleLine(value, MAX_LENGTH)) {
            throw AccountsProblem.invalid("nickname", Text.of("accounts.field.nickname", "max", MAX_LENGTH));
        }
    }

    /** Parses user input, without the white space around it. */
    public static Nickname parse(String typed) {
        return new Nickname(typed.length() > 8 * MAX_LENGTH ? "" : normalise(typed));
    }

    /** The normal form, in which prefixes are compared too. */
    static String normalise(String typed) {
        return Normalizer.normalize(typed, Normalizer.Form.NFC).strip();
    }

    /** Whether a text is a line that people see, without characters that change the look of others. */
    static boolean isVisibleLine(String text, int max) {
        return text.codePointCount(0, text.length()) <= max
                && text.codePoints().noneMatch(Nickname::isForbidden)
                && text.codePoints().anyMatch(Nickname::isVisible);
    }

    private static boolean isForbidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE -> true;
            // An emoji newer than this JDK is unassigned to it; a noncharacter always will be.
            case Character.UNASSIGNED -> (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
            // Of the invisible ones only those that join letters and emoji have an honest use in a name.
            case Character.FORMAT -> c != 0x200C && c != 0x200D && (c < 0xE0020 || c > 0xE007F);
            default -> false;
        };
    }

    private static boolean isVisible(int c) {
        // The fillers are letters by class and blank by looks.
        boolean filler = c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || c == 0x2800;
        return !filler
                && switch (Character.getType(c)) {
                    case Character.FORMAT,
                            Character.SPACE_SEPARATOR,
                            Character.NON_SPACING_MARK,
                            Character.ENCLOSING_MARK -> false;
                    default -> true;
                };
    }

    /** Whether a mention of the one is one of the other. */
    public boolean isLike(Nickname other) {
        return value.equalsIgnoreCase(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
