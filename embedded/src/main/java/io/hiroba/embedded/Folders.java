package io.hiroba.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Changes to folders that a crash leaves either undone or done. */
public final class Folders {
    private static final Duration FLUSH_LIMIT = Duration.ofMinutes(30);

    private Folders() {}

    /** Deletes a folder with all that is in it; links are not followed. */
    public static void delete(Path folder) throws IOException {
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

    /** The bytes of all files in a folder. */
    public static long size(Path folder) throws IOException {
        var total = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                total.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                return unlessGone(problem);
            }
        });
        return total.get();
    }

    /** Goes on with a visit of files where one has been deleted meanwhile. */
    public static FileVisitResult unlessGone(@Nullable IOException problem) throws IOException {
        if (problem != null && !(problem instanceof NoSuchFileException)) {
            throw problem;
        }
        return FileVisitResult.CONTINUE;
    }

    /** Removes what interrupted runs have left; the caller holds the lock that keeps others from using it. */
    static void deleteLeftovers(Path parent, String prefix) throws IOException {
        for (Path leftover : list(parent, prefix)) {
            delete(leftover);
        }
    }

    /** Empties a file that others append to. */
    public static void empty(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    static List<Path> list(Path parent, String prefix) throws IOException {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (var children = Files.list(parent)) {
            return children.filter(child -> child.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    /** A new folder that other users may read, whatever the umask: the server may run as one of them. */
    static Path createReadable(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder;
    }

    static Path unique(Path parent, String prefix) {
        return parent.resolve(
                prefix + ProcessHandle.current().pid() + "-" + Long.toString(System.nanoTime(), Character.MAX_RADIX));
    }

    private static Path beside(Path file) {
        String prefix = "." + file.getFileName() + "-";
        return file.resolveSibling(unique(Path.of(""), prefix).getFileName());
    }

    /** Renames in one step that is on the disk afterwards. */
    public static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        sync(to.toAbsolutePath().getParent());
    }

    /** Has a whole tree on the disk: by one call for the file system where there is one, or file by file. */
    public static void flush(Path folder) throws IOException {
        var sync = Command.find("sync");
        if (sync.isPresent()
                && Command.of(sync.get().toString(), "-f", folder.toString())
                        .run(FLUSH_LIMIT)
                        .succeeded()) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(each -> !Files.isSymbolicLink(each)).toList()) {
                sync(file);
            }
        }
    }

    /** Has a folder's own entries, or a file, on the disk. */
    public static void sync(@Nullable Path folder) throws IOException {
        if (folder != null) {
            try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    static void copy(Path from, Path to, String permissions) throws IOException {
        Path next = beside(to);
        Files.copy(from, next);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString(permissions));
        Files.move(next, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Writes a file that is there as a whole, or as it was before. */
    public static void write(Path file, String text, String permissions) throws IOException {
        Path next = beside(file);
        try (var channel = FileChannel.open(
                next,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)))) {
            channel.write(StandardCharsets.UTF_8.encode(text));
            channel.force(true);
        }
        rename(next, file);
    }
}
