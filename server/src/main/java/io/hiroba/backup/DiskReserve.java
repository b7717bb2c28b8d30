package io.hiroba.backup;

import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A part of a disk that is left free: a full disk stops the database that is on it.
 *
 * @param free the bytes that are free on the disk of a folder that is there
 */
record DiskReserve(long bytes, ToLongFunction<Path> free) {

    /** Where less is left, a write may have failed for want of room. */
    private static final long FULL = 1 << 20;

    static final DiskReserve NONE = new DiskReserve(0, folder -> folder.toFile().getUsableSpace());

    static final DiskReserve OF_DATABASE = new DiskReserve(500_000_000, NONE.free());

    /** The same where a folder is on the disk of the database; none elsewhere. */
    DiskReserve on(Path folder, Path database) throws IOException {
        return isOneDisk(there(folder), database) ? this : NONE;
    }

    boolean isTouched(Path folder) {
        return left(folder) < bytes;
    }

    /** Whether so much of it is gone that the database is in danger. */
    boolean isHalfGone(Path folder) {
        return left(folder) < bytes / 2;
    }

    /** Refuses to go on where it is touched. */
    void require(Path folder) {
        if (isTouched(folder)) {
            throw new BackupException(
                    Text.of("backup.problem.no-space", "folder", folder, "free", SystemCheck.size(left(folder))));
        }
    }

    /** Refuses what would touch it. */
    void requireRoom(Path folder, long needed) {
        long left = left(folder);
        if (left - bytes < needed) {
            throw new BackupException(Text.of(
                    "backup.problem.no-room-to-restore",
                    "folder",
                    folder,
                    "needed",
                    SystemCheck.size(needed + bytes),
                    "free",
                    SystemCheck.size(left)));
        }
    }

    /** What to throw instead of a failure to write, which does not name the folder where the disk is full. */
    Optional<BackupException> full(Exception failure, Path folder) {
        return failure instanceof IOException && left(folder) < FULL
                ? Optional.of(new BackupException(Text.of("backup.problem.full", "folder", folder)))
                : Optional.empty();
    }

    private long left(Path folder) {
        return free.applyAsLong(there(folder));
    }

    private static Path there(Path folder) {
        var there = folder.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    /** Whether two folders share a disk, also if it is mounted in two places, which are two stores of files to Java. */
    static boolean isOneDisk(Path one, Path other) throws IOException {
        return one.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? Files.getAttribute(one, "unix:dev").equals(Files.getAttribute(other, "unix:dev"))
                : Files.getFileStore(one).equals(Files.getFileStore(other));
    }
}
