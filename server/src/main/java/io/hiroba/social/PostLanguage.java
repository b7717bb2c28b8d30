package io.hiroba.social;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells the language that a post is written in. */
final class PostLanguage {

    private PostLanguage() {}

    /** The language with this code; a problem of the field {@code lang} if posts cannot have it. */
    static Language parse(String code) {
        return Language.of(code).orElseThrow(() -> {
            var codes = Arrays.stream(Language.values()).map(Language::code).collect(Collectors.joining(", "));
            return SocialProblem.invalid("lang", Text.of("http.field.one-of", "values", codes));
        });
    }

    /** The likely language of a text without markup, by the scripts of its letters. */
    static Optional<Language> guess(String text) {
        Map<UnicodeScript, Long> letters = text.codePoints()
                .filter(Character::isLetter)
                .mapToObj(UnicodeScript::of)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        if (letters.containsKey(UnicodeScript.HIRAGANA) || letters.containsKey(UnicodeScript.KATAKANA)) {
            return Optional.of(Language.JAPANESE);
        }
        if (letters.containsKey(UnicodeScript.HAN)) {
            return Optional.of(Language.CHINESE);
        }
        long all = letters.values().stream().mapToLong(Long::longValue).sum();
        return 2 * letters.getOrDefault(UnicodeScript.LATIN, 0L) > all
                ? Optional.of(Language.ENGLISH)
                : Optional.empty();
    }
}
