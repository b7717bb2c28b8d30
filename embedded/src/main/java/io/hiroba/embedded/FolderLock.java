package io.hiroba.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An exclusive claim on a folder that ends with the process, however it ends.
 *
 * <p>The operating system's lock belongs to the process and is lost when any descriptor of the file is closed, so the
 * lock file is never opened twice in one process: {@link #HELD} keeps count.
 */
public final class FolderLock implements AutoCloseable {
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** The claim, or nothing if this process or another has it. */
    public static Optional<FolderLock> tryAcquire(Path file) throws IOException {
        Path real = real(file);
        if (!HELD.add(real)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            locked = channel.tryLock() != null;
            return locked ? Optional.of(new FolderLock(real, channel)) : Optional.empty();
        } finally {
            if (!locked) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(real);
            }
        }
    }

    /** Waits for whoever holds it. */
    static FolderLock acquire(Path file, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            var lock = tryAcquire(file);
            if (lock.isPresent()) {
                return lock.get();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new EmbeddedException("Another process has kept " + file + " locked for " + limit.toMinutes()
                        + " minutes: wait for it or end it, then start again.");
            }
            Processes.pause();
        }
    }

    private static Path real(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent.toRealPath().resolve(file.getFileName());
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new EmbeddedException("The lock " + file + " could not be released.", e);
        } finally {
            HELD.remove(file);
        }
    }
}
