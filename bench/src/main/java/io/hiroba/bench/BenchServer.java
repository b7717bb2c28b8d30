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

/** A durable PostgreSQL in a folder of its own. Both are gone once it is closed, or the program is ended by a signal. */
final class BenchServer implements AutoCloseable {

    private static final int ATTEMPTS = 20;
    private static final long PAUSE_NANOS = 100_000_000;

    private final Path folder;
    private final Thread farewell = new Thread(this::end);
    private @Nullable EmbeddedPostgres postgres;
    private boolean ended;

    private BenchServer(Path folder) {
        this.folder = folder;
    }

    static BenchServer start() {
        try {
            var server = new BenchServer(Files.createTempDirectory("hiroba-bench"));
            Runtime.getRuntime().addShutdownHook(server.farewell);
            server.begin();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Who wants to end it meanwhile waits until there is something to end. */
    private synchronized void begin() {
        if (!ended) {
            var config = new EmbeddedConfig(folder.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
            postgres = EmbeddedPostgres.start(config, step -> System.err.println("· " + step));
        }
    }

    synchronized EmbeddedPostgres postgres() {
        if (postgres == null) {
            throw new IllegalStateException("the program was ended before its database had started");
        }
        return postgres;
    }

    /** A folder that goes with it. */
    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(farewell);
        } catch (IllegalStateException alreadyShuttingDown) {
            // The hook runs by itself, and ends nothing twice.
        }
        end();
    }

    private synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (postgres != null) {
                postgres.close();
            }
        } finally {
            remove();
        }
    }

    /** What is being killed beside us may still write into the folder. */
    private void remove() {
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
