package io.hiroba.embedded;

import java.nio.file.Path;

/**
 * The folders of an embedded database, whether it is durable, and the room of its log.
 *
 * @param dataDir the folder of this one database
 * @param cacheDir where PostgreSQL and pgvector are unpacked, shared by all databases of a user
 * @param durable false for tests only: an acknowledged commit may then be lost when the machine stops
 * @param logs the room of the server's own log
 */
public record EmbeddedConfig(Path dataDir, Path cacheDir, boolean durable, LogLimits logs) {
    public EmbeddedConfig {
        dataDir = dataDir.toAbsolutePath().normalize();
        cacheDir = cacheDir.toAbsolutePath().normalize();
    }

    public EmbeddedConfig(Path dataDir, Path cacheDir, boolean durable) {
        this(dataDir, cacheDir, durable, LogLimits.DEFAULT);
    }

    /** The folder {@code hiroba} in the user's cache folder, as the XDG base directories define it. */
    public static Path defaultCacheDir() {
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg != null && Path.of(xdg).isAbsolute()
                ? Path.of(xdg)
                : Path.of(System.getProperty("user.home"), ".cache");
        return base.resolve("hiroba");
    }
}
