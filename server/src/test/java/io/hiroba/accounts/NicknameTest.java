package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NicknameTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "花子", "Ann Lee", "علی‌رضا", "👩‍👩‍👧", "%_\\", "<b>", "O'Neill", "a\u00A0b"})
    void aLineOfAnyScriptIsAName(String name) {
        assertThat(Nickname.parse("  " + name + "\t").value()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\u3000",
                "a\nb",
                "a\rb",
                "a\tb",
                "a\0b",
                "a\u0085b",
                "a\u2028b",
                "a\u202Eb",
                "a\u2066b",
                "a\u200Eb",
                "a\u200Bb",
                "\u200D",
                "\u3164",
                "\u2800",
                "\u0301",
                "\uD800",
                "a\uFFFFb",
                "a\uE000b",
                "\uFEFFa"
            })
    void whatCannotBeReadOrBreaksTheLineIsRefused(String name) {
        assertThatThrownBy(() -> Nickname.parse(name)).isInstanceOf(AccountsProblem.class);
    }

    @Test
    void theLengthIsCountedInCharactersAsTheColumnCountsThem() {
        assertThat(Nickname.parse("😀".repeat(50)).value()).hasSize(100);
        assertThatThrownBy(() -> Nickname.parse("😀".repeat(51))).isInstanceOf(AccountsProblem.class);
        assertThatThrownBy(() -> Nickname.parse("x".repeat(1_000_000))).isInstanceOf(AccountsProblem.class);
    }

    @Test
    void equalLooksAreEqualNames() {
        assertThat(Nickname.parse("Zoe\u0308")).isEqualTo(Nickname.parse("Zo\u00EB"));
    }

    @Test
    void anyTextIsEitherRefusedOrANameThatParsesToItself() {
        var random = new Random(11);
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                text.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x250 : 0x10FFFF + 1));
            }
            try {
                var name = Nickname.parse(text.toString());
                accepted++;
                assertThat(Nickname.parse(name.value())).isEqualTo(name);
                assertThat(name.value().codePoints()).noneMatch(Character::isISOControl);
            } catch (AccountsProblem refused) {
                assertThat(refused.fields()).hasSize(1);
            }
        }
        assertThat(accepted).isGreaterThan(1000);
    }
}
