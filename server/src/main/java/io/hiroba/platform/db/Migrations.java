package io.hiroba.platform.db;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;

/** Brings the schema of each feature to its newest version; every feature has a history of its own. */
public final class Migrations {

    /** The hash partitions of the inbox: enough that each stays small with a hundred million items. */
    public static final String INBOX_PARTITIONS = "inboxPartitions";

    private static final Map<String, String> PLACEHOLDERS = Map.of(INBOX_PARTITIONS, "32");

    private Migrations() {}

    /**
     * Migrates {@code features} in the order given, since a later one may point at an earlier one's tables. The scripts
     * of a feature are under {@code io/hiroba/<feature>/db}, its tables and its history in the schema of that name.
     */
    public static void run(DatabaseConfig database, List<String> features) {
        run(database, features, Map.of());
    }

    /**
     * As above.
     *
     * @param placeholders replace the defaults of those that scripts use, for example with fewer partitions in tests
     */
    public static void run(DatabaseConfig database, List<String> features, Map<String, String> placeholders) {
        var all = new HashMap<>(PLACEHOLDERS);
        all.putAll(placeholders);
        for (String feature : features) {
            Flyway.configure()
                    // A connection of its own: building an index may take longer than any statement of a request.
                    .dataSource(database.url(), database.user(), database.password())
                    .schemas(feature)
                    .defaultSchema(feature)
                    .createSchemas(true)
                    .table("schema_history")
                    .locations("classpath:io/hiroba/" + feature + "/db")
                    .placeholders(all)
                    .validateMigrationNaming(true)
                    .load()
                    .migrate();
        }
    }
}
