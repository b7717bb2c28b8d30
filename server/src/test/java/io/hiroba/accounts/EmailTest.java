package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailTest {

    @ParameterizedTest
    @CsvSource({
        "Ann@Example.ORG, ann@example.org",
        "'  a.b+tag@x-y.example  ', a.b+tag@x-y.example",
        "root@localhost, root@localhost",
        "a@b.c, a@b.c",
        "info@bücher.example, info@xn--bcher-kva.example",
        "ｉ@例え.jp, ''",
        "i@例え.jp, i@xn--r8jz45g.jp"
    })
    void anAddressIsBroughtIntoOneForm(String typed, String normal) {
        if (normal.isEmpty()) {
            assertThatThrownBy(() -> Email.parse(typed)).isInstanceOf(AccountsProblem.class);
        } else {
            assertThat(Email.parse(typed).value()).isEqualTo(normal);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "@",
                "a@",
                "@b",
                "a",
                "a b@c.d",
                "a@b c.d",
                "a@@b.c",
                ".a@b.c",
                "a.@b.c",
                "a..b@c.d",
                "a@.b",
                "a@b.",
                "a@b..c",
                "a@-b.c",
                "a@b-.c",
                "\"a\"@b.c",
                "a@[127.0.0.1]",
                "a@b.c\nBcc: x@y.z",
                "a\r\n@b.c",
                "a\0@b.c",
                "<a@b.c>",
                "a@b.c,d@e.f",
                "a@b_c.d",
                "ä@b.c",
                "a@b\u202E.c",
                "a%00@b\0.c"
            })
    void whatIsNoAddressIsRefused(String typed) {
        assertThatThrownBy(() -> Email.parse(typed))
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.code()).isEqualTo("accounts.invalid"));
    }

    @Test
    void theLengthIsThatOfTheStoredForm() {
        assertThat(Email.parse("a@" + "b".repeat(63) + "." + "c".repeat(34)).value())
                .hasSize(100);
        assertThatThrownBy(() -> Email.parse("a@" + "b".repeat(63) + "." + "c".repeat(35)))
                .isInstanceOf(AccountsProblem.class);
        assertThatThrownBy(() -> Email.parse("a".repeat(65) + "@b.c")).isInstanceOf(AccountsProblem.class);
        assertThatThrownBy(() -> Email.parse("a@" + "ü.".repeat(14) + "example"))
                .isInstanceOf(AccountsProblem.class);
    }

    @Test
    void anAddressIsMaskedForOthers() {
        assertThat(new Email("ann@mail.example.org").masked()).isEqualTo("a***@m***.org");
        assertThat(new Email("a@b.c").masked()).isEqualTo("a***@b***.c");
        assertThat(new Email("root@localhost").masked()).isEqualTo("r***@l***");
    }

    @Test
    void anyTextIsEitherRefusedOrAnAddressThatParsesToItself() {
        var random = new Random(7);
        var letters = "aB0.@-_+ü例\u0130\u212A@ \n\"\u202E\uD800".toCharArray();
        int accepted = 0;
        for (int i = 0; i < 200_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(letters[random.nextInt(letters.length)]);
            }
            try {
                var email = Email.parse(text.toString());
                accepted++;
                assertThat(email.value())
                        .isEqualTo(email.value().toLowerCase(Locale.ROOT))
                        .isPrintable();
                assertThat(Email.parse(email.value())).isEqualTo(email);
            } catch (AccountsProblem refused) {
                assertThat(refused.fields()).hasSize(1);
            }
        }
        assertThat(accepted).isGreaterThan(100);
    }
}
