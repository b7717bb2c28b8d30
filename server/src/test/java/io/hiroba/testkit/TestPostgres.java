package io.hiroba.testkit;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;

/** The one PostgreSQL server of this JVM's tests, started at first use and removed at exit. */
final class TestPostgres {

    private static final TestPostgres INSTANCE = new TestPostgres();

    private final EmbeddedPostgres postgres;

    private TestPostgres() {
        var folder = Scratch.create("hiroba-test");
        var config = new EmbeddedConfig(folder.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false);
        postgres = EmbeddedPostgres.start(config, step -> {});
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            postgres.close();
            Scratch.delete(folder);
        }));
    }

    static EmbeddedPostgres get() {
        return INSTANCE.postgres;
    }
}
