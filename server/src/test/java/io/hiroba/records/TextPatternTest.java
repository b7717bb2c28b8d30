package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextPatternTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "[A-Z]{2}-\\d{3,5} AB-1234",
                "[A-Z]{2}-\\d{3,5} AB-12 ",
                "^(?:a|bc)*$ abca",
                "(a|b)?c+ bccc",
                "a{2,}b aaab",
                "a{2,}b ab",
                "[^@\\s]+@[^@\\s]+\\.[a-z]+ me@square.example",
                "\\p{Lu}\\w* Éa",
                "[a-z&&[^b]]+ acd",
                "[a-z&&[^b]]+ abd",
                "\\bab\\b.c ab-c",
                ".* 日本",
                "\\u65e5. 日本",
                "(?<year>\\d{4}) 2026",
                "a||b a"
            })
    void agreesWithThePlatformsEngine(String pattern, String text) throws InvalidValueException {
        assertThat(TextPattern.of(pattern).matches(text)).isEqualTo(Pattern.matches(pattern, text));
    }

    @Property(tries = 500)
    void agreesOnWhateverIsPutTogether(@ForAll("patterns") String pattern, @ForAll("texts") String text)
            throws InvalidValueException {
        assertThat(TextPattern.of(pattern).matches(text)).isEqualTo(Pattern.matches(pattern, text));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars('a', 'b', '-').ofMaxLength(6);
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.recursive(
                        () -> Arbitraries.of("a", "b", ".", "[ab]", "\\w", "-", "^", "$", "\\b"),
                        part -> Combinators.combine(
                                        part,
                                        Arbitraries.of("a", "b|-", "(a|b)", ""),
                                        Arbitraries.of("*", "+", "?", "{2}", "{0,2}", "{1,}", ""))
                                .as((one, other, count) -> "(?:" + one + other + ")" + count),
                        0,
                        4)
                .filter(pattern -> pattern.length() < 60);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a)\\1", "(?=a)b", "(?i)a", "a*+", "a++", "[", "(", ")", "*a", "{2}", "a{3,2}", "\\Qa\\E", "\\",
                "[z-a]", ""
            })
    void whatWouldHaveToGoBackOrCannotBeReadIsRefused(String pattern) {
        assertThatThrownBy(() -> TextPattern.of(pattern)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void repetitionsOfRepetitionsAreRefusedBeforeTheyFillTheMemory() {
        assertThatThrownBy(() -> TextPattern.of("(((a{1000}){1000}){1000}){1000}"))
                .hasMessageContaining("too long");
        assertThatThrownBy(() -> TextPattern.of("(".repeat(200) + ")".repeat(200)))
                .hasMessageContaining("50 groups");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+b", "(a|a)*b", "(a?){30}a{30}", "(.*a){20}b", "((a?)?)*b"})
    void aHostilePatternTakesNoLongerThanAnother(String pattern) throws InvalidValueException {
        var known = TextPattern.of(pattern);
        // With backtracking these would take years: the limit only keeps the suite from waiting for them.
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> known.matches("a".repeat(2000)));
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> known.matches(""));
        assertThatThrownBy(() -> known.matches("a".repeat(2001))).isInstanceOf(InvalidValueException.class);
    }
}
