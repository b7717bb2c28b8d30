package io.hiroba.platform.text;

import io.hiroba.platform.i18n.Language;
import java.lang.Character.UnicodeScript;
import org.jspecify.annotations.Nullable;

/**
 * Tells the language of a text by its script, so that browsers choose the right fonts and voices: Chinese and Japanese share
 * characters that each of them draws in its own way.
 */
public final class ScriptLanguage {

    /** A word has about two characters in Chinese or Japanese and five letters in English. */
    private static final int LETTERS_PER_CHARACTER = 2;

    private ScriptLanguage() {}

    /** The language tag of {@code text}; null if its script does not tell. */
    public static @Nullable String tag(String text) {
        int kana = 0;
        int han = 0;
        int latin = 0;
        int other = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            switch (UnicodeScript.of(character)) {
                case HIRAGANA, KATAKANA -> kana++;
                case HAN -> han++;
                case LATIN -> latin++;
                case COMMON, INHERITED -> {
                    // Of no script, even where it is a letter, such as the mark of long vowels.
                }
                default -> other++;
            }
        }
        int eastAsian = (kana + han) * LETTERS_PER_CHARACTER;
        if (eastAsian > latin + other) {
            return (kana > 0 ? Language.JAPANESE : Language.CHINESE).tag();
        }
        return latin > eastAsian + other ? Language.ENGLISH.tag() : null;
    }
}
