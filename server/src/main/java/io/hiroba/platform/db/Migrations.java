package io.hiroba.platform.db;

import java.util.List;
import org.flywaydb.core.Flyway;

/** Brings the schema of each feature to its newest version; every feature has a history of its own. */
public final class Migrations {

    private Migrations() {}

    /**
     * Migrates {@code features} in the order given, since a later one may point at an earlier one's tables. The scripts
     * of a feature are under {@code io/hiroba/<feature>/db}, its tables and its history in the schema of that name.
     */
    public static void run(DatabaseConfig database, List<String> features) {
        for (String feature : features) {
            Flyway.configure()
                    // A connection of its own: building an index may take longer than any statement of a request.
                    .dataSource(database.url(), database.user(), database.password())
                    .schemas(feature)
                    .defaultSchema(feature)
                    .createSchemas(true)
                    .table("schema_history")
                    .locations("classpath:io/hiroba/" + feature + "/db")
                    .validateMigrationNaming(true)
                    .load()
                    .migrate();
        }
    }
}
