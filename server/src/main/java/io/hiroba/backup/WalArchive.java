package io.hiroba.backup;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.Wal;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.i18n.Text;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The archive of a data folder's write-ahead log, {@code wal/<instance>} in a folder of backups: a compressed file for each of the
 * log's, the files of the node that came since the last full backup, and the time up to which both are complete.
 */
final class WalArchive {

    private static final String UNTIL = "covered-until";
    private static final int BLOCK = 8192;

    private final Path folder;

    WalArchive(Path backups, String instance) {
        this.folder = backups.resolve("wal").resolve(instance);
    }

    /** The time up to which it is complete; empty if there is no archive. */
    Optional<Instant> until() throws IOException {
        var file = folder.resolve(UNTIL);
        return Files.exists(file)
                ? Optional.of(Instant.parse(Files.readString(file).strip()))
                : Optional.empty();
    }

    /** Archives what is there. Every file of a row that was committed before the covered time is copied before that time is told. */
    void update(WalStream stream, DataFiles files) throws IOException, SQLException {
        BackupFolder.createPrivate(folder);
        var covered = stream.take(this::store);
        files.copy();
        BackupFolder.flush(folder);
        replace(folder.resolve(UNTIL), ByteBuffer.wrap((covered + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    Path files() {
        return folder.resolve("files");
    }

    void store(String segment, InputStream content) throws IOException {
        var file = folder.resolve(segment + StoredFiles.COMPRESSED);
        if (Files.exists(file)) {
            requireSame(file, content);
            return;
        }
        var next = folder.resolve(segment + ".partial");
        try (var channel = FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                var out = new StoredFiles.FastGzip(new BufferedOutputStream(Channels.newOutputStream(channel)))) {
            content.transferTo(out);
            out.finish();
            out.flush();
            channel.force(true);
        }
        BackupFolder.rename(next, file);
    }

    /** A copy of a data folder that archives into the same place must not pass for the folder itself. */
    private static void requireSame(Path file, InputStream content) throws IOException {
        try (var archived = new GZIPInputStream(Files.newInputStream(file))) {
            byte[] block;
            do {
                block = content.readNBytes(BLOCK);
                if (!Arrays.equals(block, archived.readNBytes(BLOCK))) {
                    throw new BackupException(Text.of("backup.problem.other-log", "file", file));
                }
            } while (block.length > 0);
        }
    }

    private static void replace(Path file, ByteBuffer content) throws IOException {
        var next = file.resolveSibling(file.getFileName() + ".partial");
        try (var channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            channel.write(content);
            channel.force(true);
        }
        BackupFolder.rename(next, file);
    }

    /** Whether the log goes on where a full backup ends. */
    boolean follows(BackupManifest full) {
        return Files.exists(
                folder.resolve(Wal.EMBEDDED.name(full.timeline(), full.lastSegment() + 1) + StoredFiles.COMPRESSED));
    }

    /**
     * Puts the log after a full backup into {@code target}, as far as it is without a gap.
     *
     * @return whether there was any
     */
    boolean extract(BackupManifest after, Path target) throws IOException {
        long segment = after.lastSegment() + 1;
        for (; ; segment++) {
            var name = Wal.EMBEDDED.name(after.timeline(), segment);
            var file = folder.resolve(name + StoredFiles.COMPRESSED);
            if (!Files.exists(file)) {
                break;
            }
            extract(file, target.resolve(name));
        }
        var newest = newest();
        var missing = Wal.EMBEDDED.name(after.timeline(), segment) + StoredFiles.COMPRESSED;
        if (newest.isPresent() && newest.get().compareTo(missing) > 0) {
            throw StoredFiles.damaged(folder.resolve(missing));
        }
        return segment > after.lastSegment() + 1;
    }

    private Optional<String> newest() throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (var children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString())
                    .filter(name -> name.endsWith(StoredFiles.COMPRESSED))
                    .max(String::compareTo);
        }
    }

    /** Leaves out blocks of zeros: most of a file that was closed after a minute is nothing else. */
    private static void extract(Path file, Path target) throws IOException {
        long size = 0;
        try (var content = new GZIPInputStream(Files.newInputStream(file));
                var channel = FileChannel.open(
                        target,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            for (byte[] block = content.readNBytes(BLOCK); block.length > 0; block = content.readNBytes(BLOCK)) {
                size += block.length;
                if (size == Wal.EMBEDDED.segmentSize() || !isZero(block)) {
                    channel.write(ByteBuffer.wrap(block), size - block.length);
                }
            }
        } catch (ZipException | EOFException e) {
            throw StoredFiles.damaged(file);
        }
        if (size != Wal.EMBEDDED.segmentSize()) {
            throw StoredFiles.damaged(file);
        }
    }

    private static boolean isZero(byte[] block) {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    /** Removes the log before a full backup, and the files that it has itself or that were gone by then. */
    void removeBefore(BackupManifest full) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        var first = Wal.EMBEDDED.name(full.timeline(), full.firstSegment());
        try (var children = Files.list(folder)) {
            for (var child : children.toList()) {
                var name = child.getFileName().toString();
                if (name.endsWith(StoredFiles.COMPRESSED) && name.compareTo(first) < 0) {
                    Files.deleteIfExists(child);
                }
            }
        }
        if (Files.isDirectory(files())) {
            try (var all = Files.walk(files())) {
                for (var file : all.filter(Files::isRegularFile).toList()) {
                    if (Files.getLastModifiedTime(file).toInstant().isBefore(full.started())) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    static WalStream open(BackupSources sources) throws IOException, SQLException {
        return WalStream.open(new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true));
    }

    /** The sentence for a time that an archive does not reach. */
    static BackupException notCovered(Instant time, Instant first, Instant last) {
        return new BackupException(Text.of("backup.problem.time", "time", time, "first", first, "last", last));
    }
}
