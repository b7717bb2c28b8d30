package io.hiroba.testkit;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** The one PostgreSQL server of this JVM's tests, started at first use and removed at exit. */
final class TestPostgres {

    private static final TestPostgres INSTANCE = new TestPostgres();

    private final EmbeddedPostgres postgres;

    private TestPostgres() {
        var folder = Scratch.create("hiroba-test");
        var config = new EmbeddedConfig(folder.resolve("postgres"), EmbeddedConfig.defaultCacheDir(), false);
        postgres = EmbeddedPostgres.start(config, step -> {});
        saveWork();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            postgres.close();
            Scratch.delete(folder);
        }));
    }

    /**
     * Thousands of connections are made, and hashing the password 4,096 times for each took a quarter of the tests' time.
     * Autovacuum visits every database every 20 seconds, and there are hundreds; tests that need it vacuum themselves.
     */
    private void saveWork() {
        try (var connection = DriverManager.getConnection(
                        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute("SET scram_iterations = 1");
            statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(postgres.user(), postgres.password()));
            for (var role : List.of(postgres.owner(), postgres.app())) {
                statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(role.name(), role.password()));
            }
            statement.execute("ALTER SYSTEM SET autovacuum = off");
            statement.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static EmbeddedPostgres get() {
        return INSTANCE.postgres;
    }
}
