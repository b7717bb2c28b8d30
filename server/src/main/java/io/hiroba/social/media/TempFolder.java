package io.hiroba.social.media;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder of files that are still being written, readable by the owner alone; files that a crash leaves are swept. */
final class TempFolder {

    private static final Logger LOG = LoggerFactory.getLogger(TempFolder.class);

    private final Path folder;

    TempFolder(Path folder) {
        this.folder = folder;
    }

    Path path() {
        return folder;
    }

    /** A new and empty file, for the caller to remove. */
    Path create() throws IOException {
        Files.createDirectories(folder, ownerOnly(folder, "rwx------"));
        return Files.createTempFile(folder, "part", "", ownerOnly(folder, "rw-------"));
    }

    /** Removes what nobody has written to since {@code bound}. */
    void sweep(Instant bound) throws IOException {
        try (var parts = Files.newDirectoryStream(folder)) {
            for (var part : parts) {
                sweep(part, bound);
            }
        } catch (NoSuchFileException e) {
            // Nothing was ever written.
        }
    }

    private static void sweep(Path part, Instant bound) {
        try {
            if (Files.getLastModifiedTime(part).toInstant().isBefore(bound)) {
                Files.deleteIfExists(part);
            }
        } catch (NoSuchFileException e) {
            // Another node was faster.
        } catch (IOException e) {
            LOG.warn("A file that was never finished cannot be removed", e);
        }
    }

    static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        if (!isPosix(path)) {
            return new FileAttribute<?>[0];
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }

    static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
