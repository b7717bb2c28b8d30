package io.hiroba.platform.web;

import java.text.BreakIterator;
import java.util.Locale;

/** The round sign of a person without a picture: the first character of the nickname on a colour that stays theirs. */
public record Avatar(String letter, int hue) {

    private static final int HUES = 8;

    public static Avatar of(String id, String nickname) {
        return new Avatar(firstCharacter(nickname.strip()), Math.floorMod(id.hashCode(), HUES));
    }

    /** A character as people see it: a flag or a letter with its accents is one. */
    private static String firstCharacter(String text) {
        var characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text);
        var end = characters.next();
        return end == BreakIterator.DONE ? "?" : text.substring(0, end);
    }
}
