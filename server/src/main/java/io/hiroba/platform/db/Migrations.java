package io.hiroba.platform.db;

import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings the schema of each feature to its newest version; every feature has a history of its own. */
public final class Migrations {

    private Migrations() {}

    /**
     * Migrates {@code features} in the order given, since a later one may point at an earlier one's tables. The scripts
     * of a feature are under {@code io/hiroba/<feature>/db}, its tables and its history in the schema of that name.
     */
    public static void run(DataSource dataSource, List<String> features) {
        for (String feature : features) {
            Flyway.configure()
                    .dataSource(dataSource)
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
