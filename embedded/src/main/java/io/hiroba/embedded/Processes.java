package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Questions about other processes of this machine. */
final class Processes {
    private static final long POLL_MILLIS = 10;
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /** A process that has ended but was not collected by its parent counts as dead. */
    static boolean alive(long pid) {
        if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()) {
            return false;
        }
        try {
            String stat = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
            return !stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z");
        } catch (IOException | RuntimeException e) {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
        }
    }

    /**
     * Whether a process works in a folder, as every process of PostgreSQL does in its data folder; empty when the system
     * does not tell.
     */
    static Optional<Boolean> worksIn(long pid, Path folder) {
        try {
            Path cwd = Files.readSymbolicLink(PROC.resolve(Long.toString(pid)).resolve("cwd"));
            return Optional.of(cwd.equals(folder.toRealPath()));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    static List<ProcessHandle> workingIn(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> worksIn(process.pid(), folder).orElse(false))
                .toList();
    }

    /** Those that work in a folder, and those that have been told to and are about to. */
    static List<ProcessHandle> startedFor(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> worksIn(process.pid(), folder).orElse(false) || wasTold(process, folder.toString()))
                .toList();
    }

    /** Whether a word is among those that a process was started with. */
    static boolean wasTold(ProcessHandle process, String word) {
        return process.info()
                .arguments()
                .filter(words -> List.of(words).contains(word))
                .isPresent();
    }

    static boolean await(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("Interrupted while waiting for the database.", e);
        }
    }
}
