package io.hiroba.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordsTest {

    private final Passwords passwords = new Passwords(new AccountsConfig.Hashing(64, 1, 1, 2));

    @Test
    void aHashIsArgon2idInAStandardTextThatFitsTheColumn() {
        var standard = new Passwords(AccountsConfig.DEFAULT.hashing());
        var hash = standard.hash(new Password("correct horse"));
        assertThat(hash.encoded()).startsWith("$argon2id$v=19$m=19456,t=2,p=1$").hasSizeLessThan(200);
        assertThat(standard.matches("correct horse", hash)).isTrue();
        assertThat(standard.matches("correct hors", hash)).isFalse();
        assertThat(standard.hash(new Password("correct horse"))).isNotEqualTo(hash);
        assertThat(hash.toString()).doesNotContain("argon2");
    }

    @Test
    void anotherKeyboardsCompositionIsTheSamePassword() {
        var hash = passwords.hash(new Password("pa\u00DFw\u00F6rter"));
        assertThat(passwords.matches("pa\u00DFwo\u0308rter", hash)).isTrue();
        assertThat(passwords.matches("PA\u00DFW\u00D6RTER", hash)).isFalse();
    }

    @Test
    void onlyAHashWithOtherParametersIsOutdated() {
        var old = passwords.hash(new Password("correct horse"));
        var stronger = new Passwords(new AccountsConfig.Hashing(128, 2, 1, 2));
        assertThat(passwords.isOutdated(old)).isFalse();
        assertThat(stronger.isOutdated(old)).isTrue();
        assertThat(stronger.matches("correct horse", old)).isTrue();
    }

    @Test
    void theLengthIsThatOfWhatWasTyped() {
        assertThat(new Password("ﷺ".repeat(200)).typed()).hasSize(200);
        assertThat(new Password("😀".repeat(200)).typed()).hasSize(400);
        for (var typed : new String[] {"", "1234567", "x".repeat(201), "😀".repeat(201), "1234567\uD800"}) {
            assertThatThrownBy(() -> new Password(typed)).isInstanceOf(AccountsProblem.class);
        }
        assertThat(new Password("12345678").toString()).doesNotContain("12345678");
    }

    @ParameterizedTest
    @CsvSource({
        "'password',common",
        "'12345678',common",
        "'P@ssw0rd',common",
        "'ｐａｓｓｗｏｒｄ',common",
        "'        ',guessable",
        "'abcdefgh',guessable",
        "'あああああああああ',guessable",
        "'Hiroba2024',personal",
        "'hiroba-hiroba-hiroba',personal",
        "'tanaka.yuki',personal",
        "'kawabata-tanaka',personal",
        "'yuki.tanaka@kawabata.example',personal",
        "'yukitanakakawabataexample',personal",
        "'yuki_tanaka_kawabata',personal",
        "'田中美咲は田中美咲',personal"
    })
    void aPasswordThatIsEasyToGuessIsRefused(String typed, String reason) {
        var policy = new PasswordPolicy(Password.MIN_LENGTH);
        assertThatThrownBy(() -> policy.require(
                        new Password(typed), new Nickname("田中 美咲"), new Email("yuki.tanaka@kawabata.example")))
                .isInstanceOfSatisfying(AccountsProblem.class, problem -> {
                    assertThat(problem.code()).isEqualTo("accounts.invalid");
                    assertThat(problem.fields().getFirst().message().key())
                            .isEqualTo("accounts.field.password-" + reason);
                });
    }

    @Test
    void aPasswordNeedsNoKindsOfCharactersAndMayHoldAName() {
        var policy = new PasswordPolicy(Password.MIN_LENGTH);
        for (var typed : List.of(
                "correct horse", "kxqzwvbn", "むかしむかしあるところに", "tanaka eats green tea", "4@8({[<369!1|".repeat(15))) {
            policy.require(new Password(typed), new Nickname("Tanaka"), new Email("tanaka@example.org"));
            assertThat(policy.hint(typed).orElseThrow().level()).isNotEqualTo(Password.Level.REFUSED);
        }
        assertThat(policy.hint("short").orElseThrow().level()).isEqualTo(Password.Level.REFUSED);
    }

    @Test
    void asManyCharactersAreAskedForAsWasConfigured() {
        var policy = new PasswordPolicy(12);
        policy.require(new Password("kxqzwvbn pfjd"));
        assertThatThrownBy(() -> policy.require(new Password("kxqzwvbn pf")))
                .isInstanceOfSatisfying(
                        AccountsProblem.class,
                        problem -> assertThat(problem.fields().getFirst().message())
                                .isEqualTo(Password.lengthText(12)));
        assertThat(policy.hint("short").orElseThrow().text()).isEqualTo(Password.lengthText(12));
        assertThat(AccountsConfig.DEFAULT.passwordMinLength()).isEqualTo(8);
    }

    @Test
    void aTextLongerThanAnyPasswordIsWrongWithoutBeingHashed() {
        var hash = passwords.hash(new Password("correct horse"));
        assertThat(passwords.matches("x".repeat(10_000_000), hash)).isFalse();
    }

    @Test
    void aFloodWaitsForItsTurnsAndAllAreAnswered() throws InterruptedException {
        var hash = passwords.hash(new Password("correct horse"));
        var threads = new Thread[64];
        var wrong = new java.util.concurrent.atomic.AtomicInteger();
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().start(() -> {
                if (!passwords.matches("correct horse", hash)) {
                    wrong.incrementAndGet();
                }
            });
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(wrong).hasValue(0);
    }
}
