package io.hiroba.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks tar archives; nothing in an archive can place a file outside the target folder. */
final class Archives {
    private static final int OWNER_EXECUTES = 0100;

    private Archives() {}

    static void unpackXz(InputStream archive, Path target) throws IOException {
        unpack(new XZInputStream(new BufferedInputStream(archive, 1 << 16)), target);
    }

    static void unpackGzip(InputStream archive, Path target) throws IOException {
        unpack(new GzipCompressorInputStream(new BufferedInputStream(archive, 1 << 16)), target);
    }

    private static void unpack(InputStream stream, Path target) throws IOException {
        try (var tar = new TarArchiveInputStream(stream)) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                place(tar, entry, target);
            }
        }
    }

    private static void place(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
        Path path = inside(target, target.resolve(entry.getName()));
        if (path.equals(target)) {
            return;
        }
        if (entry.isDirectory()) {
            Folders.createReadable(path);
            return;
        }
        Path parent = path.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            Folders.createReadable(parent);
        }
        if (entry.isSymbolicLink()) {
            inside(target, path.resolveSibling(entry.getLinkName()));
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else if (entry.isFile()) {
            Files.copy(tar, path);
            boolean executable = (entry.getMode() & OWNER_EXECUTES) != 0;
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static Path inside(Path target, Path path) throws IOException {
        Path normal = path.normalize();
        if (!normal.startsWith(target)) {
            throw new IOException("the archive holds a path outside of its folder: " + path);
        }
        return normal;
    }
}
