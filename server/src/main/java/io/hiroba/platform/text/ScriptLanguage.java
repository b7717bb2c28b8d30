package io.hiroba.platform.text;

import io.hiroba.platform.i18n.Language;
import java.lang.Character.UnicodeScript;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Guesses the language of a text by its script, so that browsers choose the right fonts and voices: Chinese and Japanese share
 * characters that each of them draws in its own way.
 */
public final class ScriptLanguage {

    private ScriptLanguage() {}

    /** The language of {@code text}; none if its script does not tell. A Latin word weighs as much as one character of others. */
    public static Optional<Language> of(String text) {
        int kana = 0;
        int han = 0;
        int latin = 0;
        int other = 0;
        boolean isInWord = false;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            var script = UnicodeScript.of(character);
            boolean isLatin = script == UnicodeScript.LATIN;
            switch (script) {
                case HIRAGANA, KATAKANA -> kana++;
                case HAN -> han++;
                case LATIN -> latin += isInWord ? 0 : 1;
                case COMMON, INHERITED -> {
                    // Of no script, even where it is a letter, such as the mark of long vowels.
                }
                default -> other++;
            }
            isInWord = isLatin;
        }
        int eastAsian = kana + han;
        if (eastAsian > latin + other) {
            return Optional.of(kana > 0 ? Language.JAPANESE : Language.CHINESE);
        }
        return latin > eastAsian + other ? Optional.of(Language.ENGLISH) : Optional.empty();
    }

    /** As above, by somebody who reads a language: Chinese characters alone are Japanese where that is it. */
    public static Optional<Language> of(String text, Supplier<Language> reader) {
        return of(text).map(likely ->
                likely == Language.CHINESE && reader.get() == Language.JAPANESE ? Language.JAPANESE : likely);
    }

    /** The language tag of {@code text}, for its element; null if its script does not tell. */
    public static @Nullable String tag(String text) {
        return of(text).map(Language::tag).orElse(null);
    }
}
