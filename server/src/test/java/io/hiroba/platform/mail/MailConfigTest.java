package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.config.ConfigException;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.config.SecretText;
import io.hiroba.platform.mail.MailConfig.Limits;
import io.hiroba.platform.mail.MailConfig.Smtp;
import io.hiroba.platform.mail.MailConfig.Tls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailConfigTest {

    /** As the application's configuration holds it. */
    record Root(MailConfig mail) {}

    private static MailConfig load(String... arguments) {
        return ConfigLoader.of(Root.class)
                .arguments(List.of(arguments))
                .load()
                .value()
                .mail();
    }

    @Test
    void withoutSettingsMailGoesIntoFilesWithinTheUsualLimits() {
        assertThat(load()).isEqualTo(MailConfig.DEFAULT);
        assertThat(MailConfig.DEFAULT.limits()).isEqualTo(new Limits(2, 10, 100));
        assertThat(MailConfig.DEFAULT.smtp().isConfigured()).isFalse();
    }

    @Test
    void everyKeyIsRead() {
        assertThat(load(
                        "--mail.from=Square <hello@square.example>",
                        "--mail.smtp.host=mx.example",
                        "--mail.smtp.port=465",
                        "--mail.smtp.user=square",
                        "--mail.smtp.password=secret",
                        "--mail.smtp.tls=tls",
                        "--mail.limits.per-address=3",
                        "--mail.limits.per-domain=4",
                        "--mail.limits.in-all=5"))
                .isEqualTo(new MailConfig(
                        "Square <hello@square.example>",
                        new Smtp("mx.example", 465, "square", SecretText.of("secret"), Tls.TLS),
                        new Limits(3, 4, 5)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--mail.smtp.host=mx.example",
                "--mail.smtp.port=0",
                "--mail.smtp.password=secret",
                "--mail.smtp.tls=sometimes",
                "--mail.limits.per-address=0",
                "--mail.limits.in-all=-1",
                "--mail.from=nobody",
                "--mail.from=Square <hello@square.example>\r\nBcc: eve@example.com",
                "--mail.from=a@square.example, b@square.example",
            })
    void whatCannotWorkStopsTheStart(String argument) {
        assertThatThrownBy(() -> load(argument))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mail")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void thePasswordIsNotPrinted() {
        var smtp = new Smtp("mx.example", 587, "square", SecretText.of("pa55word"), Tls.STARTTLS);
        assertThat(MailConfig.DEFAULT
                        .withFrom("hello@square.example")
                        .withSmtp(smtp)
                        .toString())
                .contains("mx.example")
                .doesNotContain("pa55word");
    }
}
