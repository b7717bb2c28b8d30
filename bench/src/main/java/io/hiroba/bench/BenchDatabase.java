package io.hiroba.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hiroba.App;
import io.hiroba.AppConfig;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Migrations;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A migrated database in a durable PostgreSQL server that is removed when closed. */
public final class BenchDatabase implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final BenchServer server;
    private final DatabaseConfig config;
    private final Db db;

    private BenchDatabase(BenchServer server) {
        this.server = server;
        var postgres = server.postgres();
        // Filling a table takes longer than the statement timeout of a server.
        var usual = DatabaseConfig.of(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
        this.config = new DatabaseConfig(
                usual.url(),
                usual.user(),
                usual.password(),
                usual.credentials(),
                usual.owner(),
                usual.tls(),
                usual.poolSize(),
                usual.pool(),
                TIMEOUT,
                TIMEOUT);
        Migrations.run(config, App.SCHEMAS);
        this.db = Db.open(config);
        waitForConnections();
    }

    /** More clients than connections wait for them as long as it takes, where a server would refuse requests. */
    private void waitForConnections() {
        try {
            db.dataSource().unwrap(HikariDataSource.class).setConnectionTimeout(TIMEOUT.toMillis());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static BenchDatabase create() {
        return new BenchDatabase(BenchServer.start());
    }

    public Db db() {
        return db;
    }

    /** Starts a whole server on this database, without rate limits. */
    public App serve(String... more) {
        var arguments = new ArrayList<>(List.of(
                "--data=" + folder().resolve("data"),
                "--http.port=0",
                "--http.rate-limit.enabled=false",
                "--database.url=" + config.url(),
                "--database.user=" + config.user(),
                "--database.password=" + config.password(),
                "--admin.email=bench@square.example",
                "--admin.password=a long password"));
        arguments.addAll(List.of(more));
        var settings = ConfigLoader.of(AppConfig.class)
                .environment(Map.of())
                .arguments(arguments)
                .load()
                .value();
        return App.start(settings, Clock.systemUTC(), step -> {});
    }

    public DatabaseConfig config() {
        return config;
    }

    public int port() {
        return server.postgres().port();
    }

    /** A folder that is removed with the database. */
    public Path folder() {
        return server.folder();
    }

    @Override
    public void close() {
        db.close();
        server.close();
    }
}
