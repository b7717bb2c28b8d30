package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.hiroba.platform.mail.MailConfig.Tls;
import io.hiroba.testkit.ChildJvm;
import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Mail is not told to strangers. */
@Tag("slow")
@Isolated("GreenMail's threads die of refused handshakes, which others would take for their own failure")
class MailTlsTest {

    private static final String PASSWORD = "changeit";
    private static final TestDatabase database = TestDatabase.create();

    @TempDir
    private static Path keys;

    private final MailRows rows = new MailRows(database.db());

    @BeforeAll
    static void makeCertificate() throws IOException, InterruptedException {
        var keystore = keys.resolve("server.p12").toString();
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var command = List.of(
                keytool,
                "-genkeypair",
                "-alias",
                "mail",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-keystore",
                keystore,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD);
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
        System.setProperty("greenmail.tls.keystore.file", keystore);
        System.setProperty("greenmail.tls.keystore.password", PASSWORD);
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void clear() {
        rows.clear();
    }

    private static GreenMail tlsServer() {
        var server = new GreenMail(new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTPS));
        server.start();
        return server;
    }

    /** Queues a mail for a sender in a process of its own, since GreenMail makes this one trust everybody. */
    private ChildJvm sender(GreenMail server, String... trustStore) {
        var config = database.config();
        try (var node = MailNode.overSmtp(config, 1, Tls.TLS)) {
            node.mailer().close();
            node.send(new NewMail("ann@example.com", "Code", "123456"));
        }
        var port = String.valueOf(server.getSmtps().getPort());
        var arguments = Stream.concat(
                Stream.of(config.url(), config.user(), config.password(), port, Tls.TLS.name()), Stream.of(trustStore));
        return ChildJvm.start(MailNode.class, arguments.toArray(String[]::new));
    }

    @Test
    void aServerWhoseCertificateIsTrustedGetsTheMail() {
        var server = tlsServer();
        try (var sender = sender(server, keys.resolve("server.p12").toString(), PASSWORD)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> rows.count("sent_at IS NOT NULL") == 1);
            assertThat(sender.alive()).isTrue();
            assertThat(server.getReceivedMessages()).hasSize(1);
        } finally {
            server.stop();
        }
    }

    @Test
    void aServerWhoseCertificateIsNotTrustedGetsNothing() {
        var server = tlsServer();
        try (var sender = sender(server)) {
            // GreenMail's thread dies of the refused handshake, which is as it should be.
            await().dontCatchUncaughtExceptions().atMost(Duration.ofSeconds(30)).until(() -> rows.isPutOff(1));
            assertThat(rows.count("error LIKE '%certification path%'")).isEqualTo(1);
            assertThat(sender.alive()).isTrue();
            assertThat(server.getReceivedMessages()).isEmpty();
        } finally {
            server.stop();
        }
    }

    @Test
    void aServerThatDoesNotOfferTlsGetsNothing() {
        try (var server = ScriptedSmtp.answering("MAIL", "250 fine");
                var node = MailNode.overSmtp(database.config(), server.port(), Tls.STARTTLS)) {
            node.send(new NewMail("ann@example.com", "Code", "123456"));
            await().until(() -> rows.isPutOff(1));
            assertThat(server.asked()).isZero();
        }
    }
}
