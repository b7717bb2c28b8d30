package io.hiroba.platform.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.hiroba.platform.id.Ids;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.simplejavamail.converter.EmailConverter;

/** Writes each mail into a file of its own that any mail program opens, readable by the owner alone. */
final class FileTransport implements MailTransport {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern OURS = Pattern.compile("\\d{8}T\\d{6}Z-[0-9A-F]{16}\\.eml(\\.part)?");

    private final InternetAddress from;
    private final Path folder;
    private final Session session =
            Session.getInstance(new Properties()); // once: it searches every library for providers

    FileTransport(MailConfig config, Path folder) {
        this.from = config.sender();
        this.folder = folder;
    }

    /** Derived from immutable parts of the mail, so that writing it twice leaves one file. */
    static String fileName(QueuedMail mail) {
        return TIME.format(mail.queuedAt()) + "-" + Ids.hex(mail.id()) + ".eml";
    }

    @Override
    public void deliver(QueuedMail mail) throws MailTransportException {
        try {
            Files.createDirectories(folder, ownerOnly("rwx------"));
            var file = folder.resolve(fileName(mail));
            var part = folder.resolve(fileName(mail) + ".part");
            Files.deleteIfExists(part);
            try (var channel = FileChannel.open(
                    part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly("rw-------"))) {
                write(mail, Channels.newOutputStream(channel));
                channel.force(true);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | MessagingException e) {
            throw MailTransportException.transientFailure("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    private void write(QueuedMail mail, OutputStream out) throws IOException, MessagingException {
        var message = EmailConverter.emailToMimeMessage(MimeMessageWriter.write(mail, from), session);
        out.write(("Message-ID: " + MimeMessageWriter.messageId(mail.id(), from) + "\r\n").getBytes(US_ASCII));
        message.writeTo(out, new String[] {"Message-ID"});
    }

    @Override
    public boolean keepsText() {
        return true;
    }

    @Override
    public void sweep(Duration age) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        var bound = Instant.now().minus(age);
        try (var files = Files.newDirectoryStream(folder, FileTransport::isOurs)) {
            for (var file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(bound)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        return OURS.matcher(file.getFileName().toString()).matches();
    }

    private FileAttribute<?>[] ownerOnly(String permissions) {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
