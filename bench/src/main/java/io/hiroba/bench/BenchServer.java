package io.hiroba.bench;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A durable PostgreSQL in its own folder. Both are removed when it is closed or the program receives a signal. */
final class BenchServer implements AutoCloseable {

    private static final int ATTEMPTS = 20;
    private static final long PAUSE_NANOS = 100_000_000;

    private final Path folder;
    private final Thread shutdownHook = new Thread(this::stop);
    private @Nullable EmbeddedPostgres postgres;
    private boolean stopped;

    private BenchServer(Path folder) {
        this.folder = folder;
    }

    static BenchServer start() {
        try {
            var server = new BenchServer(Files.createTempDirectory("hiroba-bench"));
            Runtime.getRuntime().addShutdownHook(server.shutdownHook);
            server.startPostgres();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holds the lock, so that a shutdown waits until there is a server to stop. */
    private synchronized void startPostgres() {
        if (!stopped) {
            var config = new EmbeddedConfig(folder.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
            postgres = EmbeddedPostgres.start(config, step -> System.err.println("· " + step));
            CpuMeter.include(postgres.pid());
        }
    }

    synchronized EmbeddedPostgres postgres() {
        if (postgres == null) {
            throw new IllegalStateException("the program was ended before its database had started");
        }
        return postgres;
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException alreadyShuttingDown) {
            // The hook is running already, and stopping twice is harmless.
        }
        stop();
    }

    private synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        try {
            if (postgres != null) {
                postgres.close();
            }
        } finally {
            remove(folder);
        }
    }

    /** Retries, since a process that is being killed may still write into the folder. */
    static void remove(Path folder) {
        for (int attempt = 1; Files.exists(folder); attempt++) {
            try (var paths = Files.walk(folder)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | UncheckedIOException e) {
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException("could not remove " + folder, e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
