package io.hiroba.platform.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Brings the schema of each feature to its newest version; every feature has a history of its own. */
public final class Migrations {

    /** The hash partitions of the inbox: enough that each stays small with a hundred million items. */
    public static final String INBOX_PARTITIONS = "inboxPartitions";

    private Migrations() {}

    /** Migrates {@code features} in the order given, since a later one may point at an earlier one's tables. */
    public static void run(DatabaseConfig database, List<String> features) {
        // Flyway opens a connection for each of its parts, which for all features takes longer than finding nothing to
        // do.
        var hikari = new HikariConfig();
        hikari.setPoolName("migrations");
        hikari.setJdbcUrl(database.url());
        hikari.setUsername(database.user());
        hikari.setPassword(database.password());
        hikari.setMinimumIdle(0);
        try (var connections = new HikariDataSource(hikari)) {
            features.forEach(feature ->
                    of(feature, database).dataSource(connections).load().migrate());
        }
    }

    /**
     * The migrations of one feature: its scripts are under {@code io/hiroba/<feature>/db}, its tables and its history in the
     * schema of that name.
     */
    public static FluentConfiguration of(String feature, DatabaseConfig database) {
        return Flyway.configure()
                // Without the time limits of requests: building an index may take longer.
                .dataSource(database.url(), database.user(), database.password())
                .schemas(feature)
                .defaultSchema(feature)
                .createSchemas(true)
                .table("schema_history")
                .locations("classpath:io/hiroba/" + feature + "/db")
                .placeholders(Map.of(INBOX_PARTITIONS, "32"))
                .validateMigrationNaming(true);
    }
}
