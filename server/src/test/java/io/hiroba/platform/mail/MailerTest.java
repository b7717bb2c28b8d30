package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.testkit.ChildJvm;
import io.hiroba.testkit.TestDatabase;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail through a real SMTP server. */
@Tag("slow")
class MailerTest {

    private static final TestDatabase database = TestDatabase.create();
    private final MailRows rows = new MailRows(database.db());
    private final GreenMail server = new GreenMail(new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTP));

    @BeforeEach
    void start() {
        rows.clear();
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private MailNode node() {
        return MailNode.overSmtp(database.config(), server.getSmtp().getPort());
    }

    private MimeMessage onlyReceived() {
        assertThat(server.waitForIncomingEmail(10_000, 1)).isTrue();
        assertThat(server.getReceivedMessages()).hasSize(1);
        return server.getReceivedMessages()[0];
    }

    record Root(MailConfig mail) {}

    @Test
    void aPasswordThatWasChangedIsUsedForTheNextMail(@TempDir Path folder) throws Exception {
        var password = Files.writeString(folder.resolve("password"), "one");
        server.setUser("square@square.example", "square", "one");
        var config = ConfigLoader.of(Root.class)
                .environment(Map.of())
                .arguments(List.of(
                        "--mail.from=square@square.example",
                        "--mail.smtp.host=localhost",
                        "--mail.smtp.port=" + server.getSmtp().getPort(),
                        "--mail.smtp.user=square",
                        "--mail.smtp.password=file:" + password,
                        "--mail.smtp.tls=none"))
                .load();
        var used = config.value().mail();
        var secrets = config.keepSecrets(Duration.ofMillis(20));
        try (secrets;
                var node = MailNode.of(database.config(), used)) {
            node.send(new NewMail("ann@example.com", "first", "text"));
            assertThat(server.waitForIncomingEmail(10_000, 1)).isTrue();

            server.setUser("square@square.example", "square", "two");
            Files.writeString(password, "two");
            await().until(() -> used.smtp().password().value().equals("two"));
            node.send(new NewMail("ann@example.com", "second", "text"));
            assertThat(server.waitForIncomingEmail(10_000, 2)).isTrue();
        }
    }

    @Test
    void aMailArrivesAsItWasWritten() throws MessagingException, IOException {
        try (var node = node()) {
            node.send(new NewMail("ann@example.com", "ようこそ, Ann", "Your code: 123456\n広場"));
            var message = onlyReceived();
            assertThat(message.getSubject()).isEqualTo("ようこそ, Ann");
            assertThat(message.getContent().toString().strip()).isEqualTo("Your code: 123456\r\n広場");
            assertThat(message.getContentType())
                    .containsIgnoringCase("text/plain")
                    .containsIgnoringCase("utf-8");
            assertThat(message.getRecipients(RecipientType.TO)).containsExactly(new InternetAddress("ann@example.com"));
            assertThat(((InternetAddress) message.getFrom()[0]).getPersonal()).isEqualTo("広場");
            assertThat(message.getMessageID()).matches("<[0-9A-F]{16}@square\\.example>");
        }
    }

    @Test
    void htmlAndTheWayToUnsubscribeGoAlong() throws MessagingException, IOException {
        try (var node = node()) {
            node.send(new NewMail("ann@example.com", "Digest", "plain")
                    .withHtml("<p>rich</p>")
                    .withListUnsubscribe("https://square.example/unsubscribe?token=abc"));
            var message = onlyReceived();
            assertThat(message.getHeader("List-Unsubscribe"))
                    .containsExactly("<https://square.example/unsubscribe?token=abc>");
            assertThat(message.getHeader("List-Unsubscribe-Post")).containsExactly("List-Unsubscribe=One-Click");
            assertThat(message.getContent()).isInstanceOf(MimeMultipart.class);
        }
    }

    @Test
    void whatWasSentIsNoLongerReadable() {
        try (var node = node()) {
            node.send(new NewMail("ann@example.com", "Code", "123456").withHtml("<b>123456</b>"));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 1);
            assertThat(rows.bodies()).containsExactly("");
            assertThat(rows.count("html IS NULL")).isEqualTo(1);
            var recent = node.mailer().recent(10);
            assertThat(recent).singleElement().satisfies(mail -> {
                assertThat(mail.to()).isEqualTo("ann@example.com");
                assertThat(mail.text()).isEmpty();
                assertThat(mail.sentAt()).isNotNull();
            });
        }
    }

    @Test
    void aRolledBackTransactionSendsNothing() {
        try (var node = node()) {
            assertThatThrownBy(() -> node.db().useTransaction(tx -> {
                        node.mailer().send(tx, new NewMail("ghost@example.com", "Code", "1"));
                        throw new IllegalStateException("the act failed");
                    }))
                    .hasMessage("the act failed");
            node.send(new NewMail("ann@example.com", "Code", "2"));
            onlyReceived();
            assertThat(rows.count("true")).isEqualTo(1);
            assertThat(node.count("hiroba.mails.queued")).isEqualTo(1);
        }
    }

    @Test
    void aServerThatComesBackGetsTheMail() {
        int port = server.getSmtp().getPort();
        server.stop();
        try (var node = MailNode.overSmtp(database.config(), port)) {
            node.send(new NewMail("ann@example.com", "Code", "123456"));
            await().until(() -> rows.isPutOff(1));
            assertThat(node.waitingSeconds()).isPositive();
            assertThat(node.mailer().recent(1)).singleElement().satisfies(mail -> {
                assertThat(mail.error()).isNotBlank();
                assertThat(mail.text()).isEmpty();
            });
            var restarted = new GreenMail(new ServerSetup(port, "localhost", ServerSetup.PROTOCOL_SMTP));
            restarted.start();
            try {
                rows.passTime(Duration.ofMinutes(1));
                assertThat(restarted.waitForIncomingEmail(10_000, 1)).isTrue();
                await().until(() -> node.count("hiroba.mails.sent") == 1);
                assertThat(node.waitingSeconds()).isZero();
            } finally {
                restarted.stop();
            }
        }
    }

    @Test
    void twoNodesSendEachOfManyMailsOnce() {
        try (var first = node();
                var second = node()) {
            IntStream.range(0, 200)
                    .parallel()
                    .forEach(n -> (n % 2 == 0 ? first : second)
                            .send(new NewMail("u" + n + "@example.com", "Mail " + n, "text " + n)));
            await().atMost(Duration.ofSeconds(60)).until(() -> rows.count("sent_at IS NOT NULL") == 200);
            assertThat(Arrays.stream(server.getReceivedMessages())
                            .map(MailerTest::subject)
                            .toList())
                    .hasSize(200)
                    .doesNotHaveDuplicates();
            assertThat(rows.count("attempts = 1")).isEqualTo(200);
            assertThat(first.count("hiroba.mails.sent") + second.count("hiroba.mails.sent"))
                    .isEqualTo(200);
        }
    }

    @Test
    void theMailOfAKilledProcessIsTakenUpWhenItsClaimEnds() throws MessagingException {
        try (var silent = ScriptedSmtp.silentAt("DATA");
                var doomed = child(silent.port())) {
            try (var node = MailNode.overSmtp(database.config(), silent.port())) {
                // Closed at once: the mail is left to the other process.
                node.mailer().close();
                node.send(new NewMail("ann@example.com", "Code", "123456"));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> silent.asked() == 1);
            doomed.kill();
        }
        try (var survivor = node()) {
            survivor.send(new NewMail("bob@example.com", "Other", "text"));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 1);
            assertThat(rows.count("waiting AND claimed_until > now()"))
                    .as("as long as the claim holds, nobody else sends it")
                    .isEqualTo(1);
            rows.passTime(MailWorker.LEASE);
            assertThat(server.waitForIncomingEmail(10_000, 2)).isTrue();
            await().until(() -> rows.count("sent_at IS NOT NULL") == 2);
            assertThat(rows.count("attempts = 2")).isEqualTo(1);
        }
    }

    @Test
    void oldMailsAreSweptAndWaitingOnesAreNot() {
        try (var node = node()) {
            node.send(new NewMail("ann@example.com", "Old", "text"));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 1);
            node.mailer().close();
            node.send(new NewMail("ann@example.com", "Waiting", "text"));
            rows.passTime(Duration.ofDays(7).minusMinutes(1));
            assertThat(node.mailer().worker().sweep()).isZero();
            rows.passTime(Duration.ofMinutes(2));
            assertThat(node.mailer().worker().sweep()).isEqualTo(1);
            assertThat(rows.count("subject = 'Waiting'")).isEqualTo(1);
        }
    }

    private static ChildJvm child(int port) {
        var config = database.config();
        return ChildJvm.start(
                MailNode.class, config.url(), config.user(), config.password(), String.valueOf(port), "NONE");
    }

    private static String subject(MimeMessage message) {
        try {
            return message.getSubject();
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }
}
