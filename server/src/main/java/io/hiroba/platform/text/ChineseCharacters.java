package io.hiroba.platform.text;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The simplified and traditional forms of Chinese characters, each of which finds the others. They are what ICU's transliterator says of
 * single characters, in a file: it takes seconds to load its rules.
 */
final class ChineseCharacters {

    private static final char FIRST = '\u4E00';
    private static final char LAST = '\u9FFF';

    private ChineseCharacters() {}

    /** Loaded with the first character that is asked for. */
    private static final class Forms {

        /** All forms of a character, the simplified one first. */
        private static final String[] OF = new String[LAST - FIRST + 1];

        static {
            try (var file =
                    Objects.requireNonNull(ChineseCharacters.class.getResourceAsStream("chinese-characters.txt"))) {
                new String(file.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .forEach(forms -> forms.chars().forEach(c -> OF[c - FIRST] = forms));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** All forms of a character, the simplified one first; itself if there is one only. */
    static String forms(char c) {
        var forms = c < FIRST || c > LAST ? null : Forms.OF[c - FIRST];
        return forms == null ? Character.toString(c) : forms;
    }

    /** The simplified form of a character. */
    static char simplified(char c) {
        return forms(c).charAt(0);
    }
}
