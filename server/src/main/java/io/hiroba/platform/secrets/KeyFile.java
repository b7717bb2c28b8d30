package io.hiroba.platform.secrets;

import io.hiroba.platform.id.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** The file of encryption keys: 32 bytes in Base64 a line, the newest last. Lines that begin with # are comments. */
final class KeyFile {

    static final int ID_BYTES = 8;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int KEY_BYTES = 32;

    private final Path file;

    KeyFile(Path file) {
        this.file = file;
    }

    Path path() {
        return file;
    }

    /**
     * A key of the file.
     *
     * @param id the beginning of its hash: two files that have an id in common have the same key under it
     */
    record Key(String id, SecretKey secret) {

        static Key of(byte[] bytes) {
            var hash = Arrays.copyOf(Sha256.of(bytes), ID_BYTES);
            return new Key(HexFormat.of().formatHex(hash), new SecretKeySpec(bytes, "AES"));
        }
    }

    boolean exists() {
        return Files.exists(file);
    }

    /** Thrown where a line of the file is no key. */
    static final class BadLineException extends IOException {

        private static final long serialVersionUID = 1L;

        private final int line;

        BadLineException(int line) {
            super("line " + line + " is no key");
            this.line = line;
        }

        int line() {
            return line;
        }
    }

    List<Key> read() throws IOException {
        var keys = new ArrayList<Key>();
        int number = 0;
        for (var line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            number++;
            var text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#")) {
                keys.add(key(text, number));
            }
        }
        return keys;
    }

    private static Key key(String text, int line) throws BadLineException {
        try {
            var bytes = Base64.getDecoder().decode(text);
            if (bytes.length == KEY_BYTES) {
                return Key.of(bytes);
            }
        } catch (IllegalArgumentException e) {
            // Told with the line alone: the message has a character of what may be a key.
        }
        throw new BadLineException(line);
    }

    /** Adds a key at the end. The file is replaced by one that is complete and on disk. */
    Key add() throws IOException {
        var bytes = new byte[KEY_BYTES];
        RANDOM.nextBytes(bytes);
        var key = Key.of(bytes);
        var target = exists() ? file.toRealPath() : file.toAbsolutePath();
        var folder = Objects.requireNonNull(target.getParent());
        Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
        var before = exists() ? Files.readString(target) : "";
        var separator = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
        var line = "# " + key.id() + "\n" + Base64.getEncoder().encodeToString(bytes) + "\n";
        var part = Files.createTempFile(folder, ".keys", "", ownerOnly(folder, "rw-------"));
        try {
            write(part, before + separator + line);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        if (isPosix(folder)) {
            try (var directory = FileChannel.open(folder, Set.of(StandardOpenOption.READ))) {
                directory.force(true);
            }
        }
        return key;
    }

    private static void write(Path part, String text) throws IOException {
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            var rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
