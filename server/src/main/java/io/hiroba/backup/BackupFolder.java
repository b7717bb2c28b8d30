package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A folder of backups: {@code 20261118T000000Z-full} each. One that is being made or deleted has {@code .partial} at its end, so
 * that whatever has its final name is whole.
 */
final class BackupFolder {

    /** Written into a backup when it was restored on trial. */
    static final String VERIFIED = "verified.json";

    private static final String FULL = "-full";
    private static final String PARTIAL = ".partial";
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path root;

    BackupFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    /** A complete backup. */
    record FullBackup(Path folder, BackupManifest manifest) {
        String name() {
            return String.valueOf(folder.getFileName());
        }
    }

    /** A lock on a folder, which ends with the process. */
    record Lock(FileChannel channel, FileLock lock) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    Path root() {
        return root;
    }

    /** Admits one who writes here at a time, and makes the folder if need be. */
    Lock lock() throws IOException {
        createPrivate(root);
        return tryLock(root.resolve("backup.lock"))
                .orElseThrow(() -> new BackupException(Text.of("backup.problem.busy", "folder", root)));
    }

    static Optional<Lock> tryLock(Path file) throws IOException {
        var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by this process.
        }
        if (lock == null) {
            channel.close();
            return Optional.empty();
        }
        return Optional.of(new Lock(channel, lock));
    }

    /** The backups with a description that can be read, the oldest first. */
    List<FullBackup> list() throws IOException {
        var found = new ArrayList<FullBackup>();
        for (var folder : children(FULL)) {
            read(folder).ifPresent(found::add);
        }
        found.sort(Comparator.comparing(backup -> backup.manifest().ended()));
        return found;
    }

    /** The others. */
    List<Path> unreadable() throws IOException {
        return children(FULL).stream().filter(folder -> read(folder).isEmpty()).toList();
    }

    static Optional<FullBackup> read(Path folder) {
        try {
            return Optional.of(new FullBackup(folder, BackupManifest.read(folder)));
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }

    private List<Path> children(String suffix) throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (var children = Files.list(root)) {
            return children.filter(child -> child.getFileName().toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    /** A new folder for a backup, and the remains of interrupted ones away; the caller holds the lock. */
    Path begin(Instant now) throws IOException {
        for (var remains : children(FULL + PARTIAL)) {
            delete(remains);
        }
        var time = now;
        while (Files.exists(root.resolve(NAME.format(time) + FULL))) {
            time = time.plusSeconds(1);
        }
        return createPrivate(root.resolve(NAME.format(time) + FULL + PARTIAL));
    }

    Path complete(Path partial) throws IOException {
        flush(partial);
        var name = String.valueOf(partial.getFileName());
        var done = root.resolve(name.substring(0, name.length() - PARTIAL.length()));
        rename(partial, done);
        return done;
    }

    void remove(FullBackup backup) throws IOException {
        var partial = root.resolve(backup.name() + PARTIAL);
        rename(backup.folder(), partial);
        delete(partial);
    }

    static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        force(to.toAbsolutePath().getParent());
    }

    private static void force(@Nullable Path folder) throws IOException {
        if (folder != null) {
            try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Has a whole tree on the disk: by one call for the file system where there is one, or file by file. */
    static void flush(Path folder) throws IOException {
        try {
            if (new ProcessBuilder("sync", "-f", folder.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackupException(Text.of("backup.problem.stopped"));
        } catch (IOException e) {
            // There is no such program.
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.toList()) {
                force(file);
            }
        }
    }

    static Path createPrivate(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException problem) throws IOException {
                if (problem != null) {
                    throw problem;
                }
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
