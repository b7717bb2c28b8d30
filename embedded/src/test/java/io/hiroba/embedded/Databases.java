package io.hiroba.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Embedded databases of the tests, over the user's own cache so that pgvector is built once. */
final class Databases {
    static final Progress SILENT = step -> {};

    private Databases() {}

    static EmbeddedConfig durable(Path dataDir) {
        return new EmbeddedConfig(dataDir, EmbeddedConfig.defaultCacheDir(), true);
    }

    /** As the product does it, with all that writing to the disk costs. */
    static EmbeddedPostgres startDurable(Path dataDir) {
        return EmbeddedPostgres.start(durable(dataDir), SILENT);
    }

    static EmbeddedPostgres start(Path dataDir) {
        return EmbeddedPostgres.start(new EmbeddedConfig(dataDir, EmbeddedConfig.defaultCacheDir(), false), SILENT);
    }

    static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
    }

    static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (var connection = connect(postgres);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String query(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (var connection = connect(postgres);
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
