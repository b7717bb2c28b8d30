package io.hiroba.testkit;

import io.hiroba.App;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Migrations;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** A migrated database of its own for one test class, cloned from a template and dropped when closed. */
public final class TestDatabase implements AutoCloseable {

    private static final String TEMPLATE = "hiroba_template";
    private static final AtomicInteger COUNT = new AtomicInteger();

    static {
        execute("CREATE DATABASE " + TEMPLATE);
        Migrations.run(configFor(TEMPLATE), App.SCHEMAS);
    }

    private final String name;
    private final Db db;

    private TestDatabase(String name) {
        this.name = name;
        this.db = Db.open(config());
    }

    public static TestDatabase create() {
        var name = "hiroba_" + COUNT.incrementAndGet();
        // Copying files is half the work of logging every page of the copy.
        execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE + " STRATEGY FILE_COPY");
        return new TestDatabase(name);
    }

    public Db db() {
        return db;
    }

    /** How to reach this database, for a second node or another process. */
    public DatabaseConfig config() {
        return configFor(name);
    }

    @Override
    public void close() {
        db.close();
        execute("DROP DATABASE " + name + " WITH (FORCE)");
    }

    private static DatabaseConfig configFor(String database) {
        var postgres = TestPostgres.get();
        return DatabaseConfig.of(postgres.jdbcUrl(database), postgres.user(), postgres.password());
    }

    private static void execute(String sql) {
        var postgres = TestPostgres.get();
        try (var connection = DriverManager.getConnection(
                        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
