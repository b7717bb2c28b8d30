package io.hiroba.backup;

import io.hiroba.backup.BackupCipher.NotAuthenticException;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.Folders;
import io.hiroba.embedded.Wal;
import io.hiroba.embedded.WalStream;
import io.hiroba.platform.i18n.Text;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The archive of a data folder's write-ahead log, {@code wal/<instance>} in a folder of backups: a compressed file for each of the
 * log's, the files of the node that came since the last full backup, and the time up to which both are complete.
 */
final class WalArchive {

    /** The file with the time up to which the archive is complete. */
    static final String UNTIL = "covered-until";

    /** The folder of all archives in a folder of backups. */
    static final String FOLDER = "wal";

    private static final int BLOCK = 8192;

    private final Path folder;
    private final BackupCipher cipher;
    private DiskReserve reserve = DiskReserve.NONE;

    /** @param name as {@link BackupManifest#archive} says */
    WalArchive(Path backups, String name, BackupCipher cipher) {
        this.folder = backups.resolve(FOLDER).resolve(name);
        this.cipher = cipher;
    }

    /** Stores no further file from now on where less is left of the disk. */
    void keepFree(DiskReserve space) {
        reserve = space;
    }

    /** The archives of all data folders in a folder of backups, by their names. */
    static Map<String, WalArchive> all(Path backups) throws IOException {
        var found = new TreeMap<String, WalArchive>();
        if (Files.isDirectory(backups.resolve(FOLDER))) {
            try (var children = Files.list(backups.resolve(FOLDER))) {
                children.map(child -> child.getFileName().toString())
                        .filter(BackupManifest.ARCHIVE.asMatchPredicate())
                        .forEach(name -> found.put(name, new WalArchive(backups, name, BackupCipher.NONE)));
            }
        }
        return found;
    }

    /** The time up to which it is complete; empty if there is no archive. */
    Optional<Instant> until() throws IOException {
        return time(folder.resolve(UNTIL));
    }

    /**
     * A part of the log that was not archived.
     *
     * @param last the name of the last file before it
     * @param first the name of the first file after it
     */
    private record Gap(String last, String first) {

        private static final Pattern NAME = Pattern.compile(UNTIL + "-([0-9A-F]{24})-([0-9A-F]{24})");

        static Stream<Gap> of(String file) {
            return NAME.matcher(file).results().map(match -> new Gap(match.group(1), match.group(2)));
        }

        /** Of the file with the time up to which the log before is complete. */
        String file() {
            return UNTIL + "-" + last + "-" + first;
        }
    }

    private Optional<Gap> gap(BackupManifest after) throws IOException {
        var end = Wal.EMBEDDED.name(after.timeline(), after.lastSegment());
        return names().flatMap(Gap::of)
                .filter(gap -> gap.first().compareTo(end) > 0)
                .findFirst();
    }

    /** The time up to which it is complete after a full backup: its end, or the next gap. */
    Optional<Instant> until(BackupManifest after) throws IOException {
        var gap = gap(after);
        return gap.isPresent() ? time(folder.resolve(gap.get().file())) : until();
    }

    private static Optional<Instant> time(Path file) throws IOException {
        try {
            return Files.exists(file)
                    ? Optional.of(Instant.parse(Files.readString(file).strip()))
                    : Optional.empty();
        } catch (DateTimeParseException e) {
            throw StoredFiles.damaged(file);
        }
    }

    /** The names in it, in order. */
    private Stream<String> names() throws IOException {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (var children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString()).sorted().toList().stream();
        }
    }

    /**
     * Archives what is there. Every file of a row that was committed before the covered time is copied before that time is told.
     *
     * @param newest the newest full backup
     * @return false if a part of the log is lost to it and to that backup: nothing more is archived until there is a new one
     */
    boolean update(WalStream stream, DataFiles files, BackupManifest newest) throws IOException, SQLException {
        BackupFolder.createPrivate(folder);
        var first = stream.first();
        var before = Wal.EMBEDDED.name(first.timeline(), first.segment() - 1);
        var last = newest();
        if (last.filter(name -> name.compareTo(before) >= 0).isEmpty()) {
            if (Wal.EMBEDDED.name(newest.timeline(), newest.lastSegment()).compareTo(before) < 0) {
                return false;
            }
            if (last.isPresent() && Files.exists(folder.resolve(UNTIL))) {
                var gap = new Gap(last.get(), Wal.EMBEDDED.name(first.timeline(), first.segment()));
                Folders.rename(folder.resolve(UNTIL), folder.resolve(gap.file()));
            }
        }
        var covered = stream.take(this::store);
        files.copy();
        Folders.flush(folder);
        replace(folder.resolve(UNTIL), ByteBuffer.wrap((covered + "\n").getBytes(StandardCharsets.UTF_8)));
        return true;
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
        reserve.require(folder);
        var next = folder.resolve(segment + ".partial");
        try (var channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            try (var sealed = cipher.seal(segment, new BufferedOutputStream(new Unclosed(channel)));
                    var out = new StoredFiles.FastGzip(sealed)) {
                content.transferTo(out);
            }
            channel.force(true);
        }
        Folders.rename(next, file);
    }

    /** Leaves the file open, so that it can be forced to the disk. */
    private static final class Unclosed extends FilterOutputStream {
        Unclosed(FileChannel channel) {
            super(Channels.newOutputStream(channel));
        }

        @Override
        public void write(byte[] content, int from, int length) throws IOException {
            out.write(content, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    private GZIPInputStream read(Path file) throws IOException {
        var name = file.getFileName().toString();
        return new GZIPInputStream(cipher.open(
                name.substring(0, name.length() - StoredFiles.COMPRESSED.length()),
                new BufferedInputStream(Files.newInputStream(file))));
    }

    /** A copy of a data folder that archives into the same place must not pass for the folder itself. */
    private void requireSame(Path file, InputStream content) throws IOException {
        try (var archived = read(file)) {
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
        Folders.rename(next, file);
    }

    /** Whether the log goes on where a full backup ends. */
    boolean follows(BackupManifest full) {
        return Files.exists(
                folder.resolve(Wal.EMBEDDED.name(full.timeline(), full.lastSegment() + 1) + StoredFiles.COMPRESSED));
    }

    /**
     * The log that was put in place.
     *
     * @param isAny whether there was any
     * @param damaged the file at which it ends too early
     */
    record Extracted(boolean isAny, Optional<Path> damaged) {
        static final Extracted NONE = new Extracted(false, Optional.empty());
    }

    /**
     * Puts the log after a full backup into {@code target}, up to a gap or a damaged file at most.
     *
     * @param bound the name of the last file that is needed; if it is empty, all that follow
     */
    Extracted extract(BackupManifest after, Optional<String> bound, Path target) throws IOException {
        var end = Stream.concat(bound.stream(), gap(after).map(Gap::last).stream())
                .min(Comparator.naturalOrder())
                .or(this::newestUnchecked)
                .orElse("");
        long first = after.lastSegment() + 1;
        long segment = first;
        for (; Wal.EMBEDDED.name(after.timeline(), segment).compareTo(end) <= 0; segment++) {
            var name = Wal.EMBEDDED.name(after.timeline(), segment);
            var file = folder.resolve(name + StoredFiles.COMPRESSED);
            if (!Files.exists(file) || !isExtracted(file, target.resolve(name))) {
                Files.deleteIfExists(target.resolve(name));
                return new Extracted(segment > first, Optional.of(file));
            }
        }
        return new Extracted(segment > first, Optional.empty());
    }

    private Optional<String> newestUnchecked() {
        try {
            return newest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of the newest file of the log. */
    private Optional<String> newest() throws IOException {
        return names().filter(name -> name.endsWith(StoredFiles.COMPRESSED))
                .map(name -> name.substring(0, name.length() - StoredFiles.COMPRESSED.length()))
                .reduce((older, newer) -> newer);
    }

    /** Leaves out blocks of zeros: most of a file that was closed after a minute is nothing else. False if it is damaged. */
    private boolean isExtracted(Path file, Path target) throws IOException {
        long size = 0;
        try (var content = read(file);
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
        } catch (ZipException | EOFException | NotAuthenticException e) {
            return false;
        }
        return size == Wal.EMBEDDED.segmentSize();
    }

    private static boolean isZero(byte[] block) {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether a file of an archive is of the log before the one that is named {@code first}. */
    static boolean isBefore(String name, String first) {
        return (name.endsWith(StoredFiles.COMPRESSED) && name.indexOf('/') < 0)
                ? name.compareTo(first) < 0
                : Gap.of(name).anyMatch(gap -> gap.first().compareTo(first) < 0);
    }

    /** Removes the log before a full backup, and the files that it has itself or that were gone by then. */
    void removeBefore(BackupManifest full) throws IOException {
        var first = Wal.EMBEDDED.name(full.timeline(), full.firstSegment());
        for (var name : names().toList()) {
            if (isBefore(name, first)) {
                Files.deleteIfExists(folder.resolve(name));
            }
        }
        if (Files.isDirectory(files())) {
            try (var all = Files.walk(files())) {
                for (var file : all.filter(Files::isRegularFile).toList()) {
                    if (DataFiles.changed(file).isBefore(full.started())) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    /** Removes all of it: nothing leads there without a full backup. */
    void remove() throws IOException {
        Folders.delete(folder);
    }

    static WalStream open(BackupSources sources) throws IOException, SQLException {
        return WalStream.open(new EmbeddedConfig(sources.database(), EmbeddedConfig.defaultCacheDir(), true));
    }

    /** The sentence for a time that an archive does not reach. */
    static BackupException notCovered(Instant time, Instant first, Instant last) {
        return new BackupException(Text.of("backup.problem.time", "time", time, "first", first, "last", last));
    }
}
