package io.hiroba.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * PostgreSQL's programs: those that came with the program, or else unpacked once from the jar on the class path into the
 * cache.
 */
final class Binaries {
    /** The system property that names the folder of a PostgreSQL with pgvector that came with the program. */
    static final String SHIPPED = "hiroba.postgresql";

    private Binaries() {}

    static String version() {
        var properties = new Properties();
        try (InputStream stream = Binaries.class.getResourceAsStream("embedded.properties")) {
            if (stream == null) {
                throw new EmbeddedException("The embedded database's jar is damaged: build Hiroba again.");
            }
            properties.load(stream);
        } catch (IOException e) {
            throw new EmbeddedException("The embedded database's jar cannot be read: build Hiroba again.", e);
        }
        return properties.getProperty("postgresql", "");
    }

    static PgHome location(Path cacheDir) {
        Platform platform = Platform.current();
        String version = version();
        String shipped = System.getProperty(SHIPPED, "");
        if (!shipped.isEmpty()) {
            return new PgHome(Path.of(shipped), version, platform);
        }
        return new PgHome(cacheDir.resolve("postgresql-" + version + "-" + platform), version, platform);
    }

    static boolean unpacked(PgHome home) {
        return Files.isExecutable(home.program("postgres"));
    }

    /** Unpacks beside the final place and renames, so that a folder with the final name is complete. */
    static void unpack(PgHome home, Path cacheDir, Progress progress) throws IOException {
        if (unpacked(home)) {
            return;
        }
        progress.step(Progress.Step.UNPACKING);
        Folders.deleteLeftovers(cacheDir, ".postgresql-");
        Path next = Folders.createReadable(Folders.unique(cacheDir, ".postgresql-"));
        String archive = home.platform().archive();
        try (InputStream stream = Binaries.class.getResourceAsStream("/" + archive)) {
            if (stream == null) {
                throw new EmbeddedException("The PostgreSQL for " + home.platform()
                        + " is not on the class path: build Hiroba on this machine, or set HIROBA_DATABASE_URL.");
            }
            Archives.unpackXz(stream, next);
        }
        Folders.flush(next);
        Folders.delete(home.root());
        Folders.rename(next, home.root());
    }
}
