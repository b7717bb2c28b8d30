package io.hiroba.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * Folders for what tests keep on disk: in memory, where the system has room for them there. A clone of a database is
 * two thousand files, and making them on a disk took a third of the time of the tests.
 */
final class Scratch {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 4L << 30;

    private Scratch() {}

    /** Whether the system has room in memory for what tests keep. */
    static boolean isInMemory() {
        try {
            return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path create(String prefix) {
        try {
            return isInMemory() ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
