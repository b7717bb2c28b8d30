package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** The files of a backup with the checksum of each, which {@code sha256sum -c SHA256SUMS} checks as well. */
final class StoredFiles {

    static final String SUMS = "SHA256SUMS";
    static final String COMPRESSED = ".gz";

    /** The authentication code of the checksums of an encrypted backup. */
    static final String CODE = SUMS + ".hmac";

    private static final int BUFFER = 1 << 18;
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  (.+)");

    private final Path root;
    private final TransferMeter meter;
    private final BackupCipher cipher;
    private final SortedMap<String, String> sums = new TreeMap<>();
    private final byte[] buffer = new byte[BUFFER];
    private long bytes;
    private DiskReserve reserve = DiskReserve.NONE;
    private long unpacked;
    private boolean isResumed;

    StoredFiles(Path root, TransferMeter meter, BackupCipher cipher) {
        this.root = root;
        this.meter = meter;
        this.cipher = cipher;
    }

    /** Stores nothing more from now on where less is left of the disk. */
    void keepFree(DiskReserve space) {
        reserve = space;
        meter.keepFree(space, root);
    }

    /** Takes what an interrupted run has stored for its own, with the checksums of what is there. */
    void resume() {
        isResumed = true;
    }

    BackupCipher cipher() {
        return cipher;
    }

    /** Level 1: a third of the time of the usual one for a few per cent of the size. */
    static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER);
            def.setLevel(1);
        }
    }

    /** Counts what is stored. */
    private final class Counted extends FilterOutputStream {
        Counted(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] content, int from, int length) throws IOException {
            out.write(content, from, length);
            bytes += length;
        }

        @Override
        public void write(int one) throws IOException {
            out.write(one);
            bytes++;
        }
    }

    void compress(String path, InputStream content) throws IOException {
        var name = path + COMPRESSED;
        var digest = Sha256.digest();
        try (var out = new FastGzip(cipher.seal(name, new DigestOutputStream(new Counted(create(name)), digest)))) {
            transfer(content, out);
        }
        sums.put(name, HexFormat.of().formatHex(digest.digest()));
    }

    void store(String path, InputStream content, FileTime modified) throws IOException {
        store(path, content, modified, cipher);
    }

    /** Stores a file that can be read without a key. */
    void storePlain(String path, InputStream content, FileTime modified) throws IOException {
        store(path, content, modified, BackupCipher.NONE);
    }

    private void store(String path, InputStream content, FileTime modified, BackupCipher with) throws IOException {
        var digest = Sha256.digest();
        try (var out = with.seal(path, new DigestOutputStream(new Counted(create(path)), digest))) {
            transfer(content, out);
        }
        Files.setLastModifiedTime(root.resolve(path), modified);
        sums.put(path, HexFormat.of().formatHex(digest.digest()));
    }

    /** Stores a file that an earlier backup has, without a second copy of it. */
    boolean link(String path, Path former, String sum) {
        try {
            var file = root.resolve(path);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.createLink(file, former);
            long size = Files.size(file);
            bytes += size;
            unpacked += size;
            sums.put(path, sum);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Whether an earlier run has stored a file; its time is set when it is whole. */
    boolean isThere(String path, long size, FileTime modified) throws IOException {
        var file = root.resolve(path);
        try {
            if (Files.size(file) != cipher.size(size)
                    || !Files.getLastModifiedTime(file).equals(modified)) {
                return false;
            }
            if (isResumed && !sums.containsKey(path)) {
                sums.put(path, sum(file, buffer, meter));
                bytes += Files.size(file);
                unpacked += size;
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static String sum(Path file, byte[] buffer, TransferMeter meter) throws IOException {
        var digest = Sha256.digest();
        try (var content = Files.newInputStream(file)) {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
                meter.add(read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Removes files that an interrupted run has stored and that are not there any more. */
    void removeOthers() throws IOException {
        var folder = root.resolve(BackupFolder.FILES);
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (!sums.containsKey(root.relativize(file).toString())) {
                    Files.delete(file);
                }
            }
        }
    }

    void remove(String path) throws IOException {
        Files.deleteIfExists(root.resolve(path));
        sums.remove(path);
    }

    private OutputStream create(String path) throws IOException {
        reserve.require(root);
        var file = root.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.newOutputStream(file);
    }

    private void transfer(InputStream from, OutputStream to) throws IOException {
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            unpacked += read;
            meter.add(read);
        }
    }

    int count() {
        return sums.size();
    }

    long bytes() {
        return bytes;
    }

    /** The size of what was stored before it was packed. */
    long unpacked() {
        return unpacked;
    }

    void writeSums() throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(root.resolve(SUMS))) {
            for (var sum : sums.entrySet()) {
                writer.write(sum.getValue() + "  " + sum.getKey() + "\n");
            }
        }
        if (cipher != BackupCipher.NONE) {
            Files.writeString(root.resolve(CODE), cipher.mac(Files.readAllBytes(root.resolve(SUMS))) + "\n");
        }
    }

    /** Refuses a list of files that was not written with the key. */
    static void requireAuthentic(Path backup, BackupCipher cipher) throws IOException {
        if (cipher == BackupCipher.NONE) {
            return;
        }
        var file = backup.resolve(CODE);
        var expected = cipher.mac(Files.readAllBytes(backup.resolve(SUMS)));
        if (!Files.exists(file)
                || !MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII),
                        Files.readString(file).strip().getBytes(StandardCharsets.US_ASCII))) {
            throw damaged(file);
        }
    }

    /** The checksums by path, as they were written. Each path leads to below the backup. */
    static SortedMap<String, String> sums(Path backup) throws IOException {
        var sums = new TreeMap<String, String>();
        try (var lines = Files.lines(backup.resolve(SUMS), StandardCharsets.UTF_8)) {
            lines.forEach(line -> {
                var parts = LINE.matcher(line);
                if (!parts.matches() || !isBelow(parts.group(2))) {
                    throw damaged(backup.resolve(SUMS));
                }
                sums.put(parts.group(2), parts.group(1));
            });
        } catch (UncheckedIOException e) {
            throw damaged(backup.resolve(SUMS));
        }
        return sums;
    }

    /** Whether a path is relative and leads nowhere but down. */
    static boolean isBelow(String path) {
        return path.indexOf('\0') < 0
                && Stream.of(path.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    /** Refuses a backup of which a file is damaged, missing, a link or not its own, and names it. */
    static SortedMap<String, String> check(Path backup, TransferMeter meter) throws IOException {
        var sums = sums(backup);
        if (sums.isEmpty()) {
            throw damaged(backup.resolve(SUMS));
        }
        var there = new TreeSet<String>();
        try (var files = Files.walk(backup)) {
            files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> backup.relativize(file).toString())
                    .filter(name -> !List.of(SUMS, CODE, BackupFolder.VERIFIED).contains(name))
                    .forEach(there::add);
        }
        for (var name : there) {
            if (!sums.containsKey(name)) {
                throw damaged(backup.resolve(name));
            }
        }
        var buffer = new byte[BUFFER];
        for (var sum : sums.entrySet()) {
            var file = backup.resolve(sum.getKey());
            if (!there.contains(sum.getKey())) {
                throw damaged(file);
            }
            try {
                if (!sum(file, buffer, meter).equals(sum.getValue())) {
                    throw damaged(file);
                }
            } catch (NoSuchFileException e) {
                throw damaged(file);
            }
        }
        return sums;
    }

    static BackupException damaged(Path file) {
        return new BackupException(Text.of("backup.problem.damaged", "file", file));
    }
}
