package io.hiroba.testkit;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The one PostgreSQL server of this JVM's tests, started at first use and removed at exit. */
final class TestPostgres {

    private static final TestPostgres INSTANCE = new TestPostgres();

    private final EmbeddedPostgres postgres;

    private TestPostgres() {
        try {
            var folder = Files.createTempDirectory("hiroba-test");
            var config = new EmbeddedConfig(folder.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false);
            postgres = EmbeddedPostgres.start(config, step -> {});
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                postgres.close();
                delete(folder);
            }));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static EmbeddedPostgres get() {
        return INSTANCE.postgres;
    }

    private static void delete(Path folder) {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
