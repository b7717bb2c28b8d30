package io.hiroba.platform.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.TestDatabase;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mail where no SMTP server is configured. */
class FileTransportTest {

    private static final TestDatabase database = TestDatabase.create();
    private final MailRows rows = new MailRows(database.db());

    @TempDir
    private Path data;

    @BeforeEach
    void clear() {
        rows.clear();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private Path folder() {
        return data.resolve("mail");
    }

    private List<Path> files() {
        try (var files = Files.list(folder())) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aMailBecomesAFileThatMailProgramsReadAndOthersDoNot() throws IOException, MessagingException {
        try (var node = MailNode.intoFiles(database.config(), folder(), MailNode.UNLIMITED)) {
            node.send(new NewMail("ann@example.com", "ようこそ", "Your code: 123456\n広場"));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 1);
        }
        assertThat(files()).singleElement().satisfies(file -> {
            assertThat(file.getFileName().toString()).matches("\\d{8}T\\d{6}Z-[0-9A-F]{16}\\.eml");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            var message = parse(file);
            assertThat(message.getSubject()).isEqualTo("ようこそ");
            assertThat(message.getContent().toString().replace("\r\n", "\n").strip())
                    .isEqualTo("Your code: 123456\n広場");
            assertThat(message.getAllRecipients()[0]).hasToString("ann@example.com");
            assertThat(message.getHeader("Message-ID")).hasSize(1);
            assertThat(message.getMessageID()).matches("<[0-9A-F]{16}@localhost>");
        });
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
                .isEqualTo("rwx------");
    }

    @Test
    void aMailWithACodeIsBlankedOnceItIsUsedOrExpired() {
        try (var node = MailNode.intoFiles(database.config(), folder(), MailNode.UNLIMITED)) {
            var lifetime = Duration.ofMinutes(15);
            node.send(new NewMail("ann@example.com", "Code", "one").withLifetime(lifetime));
            node.send(new NewMail("bob@example.com", "Code", "two")
                    .withHtml("<b>two</b>")
                    .withLifetime(lifetime));
            node.send(new NewMail("ann@example.com", "Notice", "three"));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 3);
            node.db().useTransaction(tx -> node.mailer().blankUsed(tx, "Ann@example.com"));
            assertThat(rows.bodies()).containsExactly("", "two", "three");
            rows.passTime(lifetime);
            assertThat(node.mailer().recent(10)).extracting(RecentMail::text).containsExactly("three", "", "");
            node.mailer().worker().sweep();
            assertThat(rows.bodies()).containsExactly("", "", "three");
            assertThat(rows.count("html IS NOT NULL")).isZero();
        }
    }

    @Test
    void administratorsSeeTheNewestMailsFirstWithTheirText() {
        try (var node = MailNode.intoFiles(database.config(), folder(), MailNode.UNLIMITED)) {
            node.send(new NewMail("ann@example.com", "First", "one"));
            node.send(new NewMail("bob@example.com", "Second", "two"));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 2);
            assertThat(node.mailer().recent(10)).extracting(RecentMail::text).containsExactly("two", "one");
            assertThat(node.mailer().recent(1)).extracting(RecentMail::to).containsExactly("bob@example.com");
            assertThat(node.mailer().recent(-5)).hasSize(1);
        }
    }

    @Test
    void aMailWrittenTwiceIsOneFile() throws MailTransportException {
        var delivery = new FileTransport(MailConfig.DEFAULT, folder());
        var mail = new QueuedMail(77, new NewMail("ann@example.com", "Code", "1"), Instant.now(), 1, false);
        delivery.deliver(mail);
        delivery.deliver(mail);
        assertThat(files()).hasSize(1);
    }

    @Test
    void aFolderThatCannotBeWrittenIsTriedAgain() throws IOException {
        Files.writeString(folder(), "in the way");
        try (var node = MailNode.intoFiles(database.config(), folder(), MailNode.UNLIMITED)) {
            node.send(new NewMail("ann@example.com", "Code", "1"));
            await().until(() -> rows.isPutOff(1));
            Files.delete(folder());
            rows.passTime(Duration.ofMinutes(1));
            await().until(() -> rows.count("sent_at IS NOT NULL") == 1);
            assertThat(files()).hasSize(1);
        }
    }

    @Test
    void oldFilesOfOursAreRemovedAndNoOthers() throws IOException, MailTransportException {
        var delivery = new FileTransport(MailConfig.DEFAULT, folder());
        delivery.deliver(new QueuedMail(1, new NewMail("a@example.com", "Old", "1"), Instant.EPOCH, 1, false));
        delivery.deliver(new QueuedMail(2, new NewMail("a@example.com", "New", "1"), Instant.EPOCH, 1, false));
        var old = folder().resolve("19700101T000000Z-0000000000000001.eml");
        var foreign = Files.writeString(folder().resolve("notes.eml"), "keep me");
        var longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
        Files.setLastModifiedTime(old, longAgo);
        Files.setLastModifiedTime(foreign, longAgo);
        delivery.sweep(Duration.ofDays(7));
        assertThat(files()).hasSize(2).contains(foreign).doesNotContain(old);
    }

    private static MimeMessage parse(Path file) throws IOException, MessagingException {
        try (var in = Files.newInputStream(file)) {
            return new MimeMessage(Session.getInstance(new Properties()), in);
        }
    }
}
