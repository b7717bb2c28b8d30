package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server says no to. */
class RefusedMailTest {

    private static final TestDatabase database = TestDatabase.create();
    private final MailRows rows = new MailRows(database.db());

    @BeforeEach
    void clear() {
        rows.clear();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @Test
    void aTemporaryRefusalIsTriedAgainAfterLongerAndLongerPausesAndThenGivenUp() {
        try (var server = ScriptedSmtp.answering("RCPT", "451 4.3.0 try later");
                var node = MailNode.overSmtp(database.config(), server.port())) {
            node.send(new NewMail("ann@example.com", "Code", "123456"));
            int attempt = 0;
            for (int minutes : List.of(1, 5, 15, 60)) {
                int done = ++attempt;
                await().until(() -> rows.isPutOff(done));
                assertThat(rows.pause())
                        .isBetween(Duration.ofMinutes(minutes).minusSeconds(10), Duration.ofMinutes(minutes));
                rows.passTime(Duration.ofMinutes(minutes));
            }
            await().until(() -> rows.count("failed_at IS NOT NULL") == 1);
            assertThat(server.asked()).isEqualTo(5);
            await().until(() -> node.count("hiroba.mails.failed") == 1);
            assertThat(rows.bodies()).containsExactly("");
        }
    }

    @Test
    void aRefusedRecipientIsNotTriedAgain() {
        try (var server = ScriptedSmtp.answering("RCPT", "550 5.1.1 no such user")) {
            assertGivenUpAtOnce(server, "no such user");
        }
    }

    @Test
    void aRefusedSenderIsNotTriedAgain() {
        try (var server = ScriptedSmtp.answering("MAIL", "553 5.7.1 not you")) {
            assertGivenUpAtOnce(server, "not you");
        }
    }

    @Test
    void refusedContentIsNotTriedAgain() {
        try (var server = ScriptedSmtp.answering("DATA", "554 5.6.0 spam")) {
            assertGivenUpAtOnce(server, "spam");
        }
    }

    private void assertGivenUpAtOnce(ScriptedSmtp server, String error) {
        try (var node = MailNode.overSmtp(database.config(), server.port())) {
            node.send(new NewMail("ann@example.com", "Code", "123456"));
            await().until(() -> node.count("hiroba.mails.failed") == 1);
            assertThat(server.asked()).isEqualTo(1);
            assertThat(server.accepted()).isEmpty();
            assertThat(rows.count("failed_at IS NOT NULL AND attempts = 1 AND body = ''"))
                    .isEqualTo(1);
            assertThat(node.mailer().recent(1))
                    .singleElement()
                    .satisfies(mail -> assertThat(mail.error()).contains(error));
        }
    }

    @Test
    void whatIsTooLateIsGivenUpInsteadOfSent() {
        try (var server = ScriptedSmtp.answering("RCPT", "451 4.3.0 try later");
                var node = MailNode.overSmtp(database.config(), server.port())) {
            node.send(new NewMail("ann@example.com", "Code", "123456").withLifetime(Duration.ofMinutes(15)));
            await().until(() -> rows.isPutOff(1));
            rows.passTime(Duration.ofMinutes(15));
            await().until(() -> rows.count("failed_at IS NOT NULL AND body = ''") == 1);
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void aMailThatEndsEveryProcessRunsOutOfAttempts() {
        try (var server = ScriptedSmtp.answering("RCPT", "451 4.3.0 try later")) {
            try (var gone = MailNode.overSmtp(database.config(), server.port())) {
                gone.mailer().close();
                gone.send(new NewMail("ann@example.com", "Code", "123456"));
            }
            database.db().useTransaction(tx -> tx.update("""
                    UPDATE platform.mails SET attempts = 5, claimed_until = now() - interval '1 s'
                    """).execute());
            try (var node = MailNode.overSmtp(database.config(), server.port())) {
                await().until(() -> node.count("hiroba.mails.failed") == 1);
                assertThat(server.asked()).isZero();
                assertThat(rows.count("failed_at IS NOT NULL AND body = ''")).isEqualTo(1);
            }
        }
    }
}
