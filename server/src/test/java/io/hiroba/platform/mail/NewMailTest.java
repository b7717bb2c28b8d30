package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewMailTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ann",
                "@example.com",
                "ann@",
                "ann@example.com\r\nBcc: eve@example.com",
                "ann@example.com\nBcc: eve@example.com",
                "ann@example.com\r",
                "ann@example.com, eve@example.com",
                "ann@example.com;eve@example.com",
                "Ann <ann@example.com>",
                "\"ann eve\"@example.com",
                "ann@[127.0.0.1]",
                "ann(comment)@example.com",
                "@relay.example:ann@example.com",
                "ann @example.com",
                "ann\u0000@example.com",
                "ánn@example.com",
                "ann@exa\u2028mple.com",
            })
    void whatIsNotOnePlainAddressIsRefused(String address) {
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> new NewMail(address, "Subject", "text"))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("mail.bad-address"));
    }

    @Test
    void anAddressThatIsTooLongIsRefused() {
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> new NewMail("a".repeat(65) + "@example.com", "Subject", "text"));
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> new NewMail("a@" + "b.".repeat(130) + "example", "Subject", "text"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "Hi\r\nBcc: eve@example.com", "Hi\nX: y", "Hi\r", "Hi\u0000", "Hi\u0085", "Hi\u2028"})
    void aSubjectThatIsNotOneLineIsRefused(String subject) {
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> new NewMail("ann@example.com", subject, "text"))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("mail.bad-subject"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "javascript:alert(1)", "http://square.example", "https://a.example>\r\nX: y", "https://a b"})
    void aWayToUnsubscribeThatIsNoLinkIsRefused(String link) {
        var mail = new NewMail("ann@example.com", "Subject", "text");
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> mail.withListUnsubscribe(link))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("mail.bad-unsubscribe"));
    }

    @Test
    void textThatCannotBeStoredIsRefused() {
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> new NewMail("ann@example.com", "Subject", "a\u0000b"));
        assertThatExceptionOfType(MailProblem.class)
                .isThrownBy(() -> new NewMail("ann@example.com", "Subject", "text").withHtml("x".repeat(1_000_001)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ann@example.com", "ann+tag@example.co.jp", "o'neil@example.com", "admin@localhost"})
    void plainAddressesAreTaken(String address) {
        assertThat(new NewMail(address, "Subject", "text").to()).isEqualTo(address);
    }

    @Test
    void theDomainIsWrittenInLowerCaseAscii() {
        assertThat(new NewMail("Ann@EXAMPLE.com", "Subject", "text").to()).isEqualTo("Ann@example.com");
        assertThat(new NewMail("ann@広場.example", "Subject", "text").to()).isEqualTo("ann@xn--rlsr0m.example");
    }
}
