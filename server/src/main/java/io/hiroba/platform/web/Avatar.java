package io.hiroba.platform.web;

import java.text.BreakIterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The avatar of a person: their picture, or else the first character of the nickname on a colour that stays theirs.
 *
 * @param thumbnail where the picture is shown with 128 pixels a side, if there is one
 */
public record Avatar(String letter, int hue, @Nullable String thumbnail) {

    private static final int HUES = 8;

    /** {@code picture} is where the full picture is; its thumbnails have their size before the extension. */
    public static Avatar of(String id, String nickname, @Nullable String picture) {
        return new Avatar(firstCharacter(nickname.strip()), Math.floorMod(id.hashCode(), HUES), thumbnail(picture));
    }

    private static @Nullable String thumbnail(@Nullable String picture) {
        if (picture == null || !LocalPath.isLocal(picture)) {
            return null;
        }
        int dot = picture.lastIndexOf('.');
        return dot < 0 ? null : picture.substring(0, dot) + ".128" + picture.substring(dot);
    }

    /** A character as people see it: a flag or a letter with its accents is one. */
    private static String firstCharacter(String text) {
        var characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text);
        var end = characters.next();
        return end == BreakIterator.DONE ? "?" : text.substring(0, end);
    }
}
