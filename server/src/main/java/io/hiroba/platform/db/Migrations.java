package io.hiroba.platform.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hiroba.platform.i18n.Text;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema of each feature to its newest version; every feature has a history of its own. */
public final class Migrations {

    /** The hash partitions of the inbox: enough that each stays small with a hundred million items. */
    public static final String INBOX_PARTITIONS = "inboxPartitions";

    private static final long COLLATION_LOCK = 7164200502L;
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(Migrations.class);

    private Migrations() {}

    /** Migrates {@code features} in the order given, since a later one may point at an earlier one's tables. */
    public static void run(DatabaseConfig config, List<String> features) {
        var database = config.asOwner();
        try (var connections = pool(database)) {
            var scripts = MigrationScripts.fingerprint(features);
            if (!scripts.equals(lastScripts(connections))) {
                requireCreate(connections, features);
                features.forEach(feature ->
                        migrate(of(feature, database).dataSource(connections).load(), feature));
                remember(connections, scripts);
            }
            refreshCollations(connections);
        }
    }

    /** Whether nothing was migrated yet, and so nobody has an account. */
    public static boolean isFirst(DatabaseConfig config) {
        try (var connection = Db.connect(config);
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT to_regnamespace('accounts') IS NULL")) {
            row.next();
            return row.getBoolean(1);
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    /**
     * A pool of connections for the migrations of several features: Flyway opens one for each of its parts, which for all features takes
     * longer than finding nothing to do.
     */
    public static HikariDataSource pool(DatabaseConfig config) {
        var hikari = new HikariConfig();
        hikari.setPoolName("migrations");
        hikari.setDataSource(new LoginDataSource(config.asOwner(), false));
        hikari.setMinimumIdle(0);
        hikari.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        return new HikariDataSource(hikari);
    }

    /** The scripts that the database was migrated with last, as they were remembered; otherwise nothing. */
    private static @Nullable String lastScripts(DataSource connections) {
        try (var connection = connections.getConnection();
                var statement = connection.createStatement();
                var row =
                        statement.executeQuery("SELECT obj_description(to_regnamespace('platform'), 'pg_namespace')")) {
            return row.next() ? row.getString(1) : null;
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    /** Lets the next start with the same scripts find out at once that there is nothing to do: Flyway takes a second of CPU for that. */
    private static void remember(DataSource connections, String scripts) {
        try (var connection = connections.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("COMMENT ON SCHEMA platform IS '" + scripts + "'");
        } catch (SQLException e) {
            // The schema was made by somebody else, or is not among these: the next start looks again.
            log.debug("the migrations are not remembered", e);
        }
    }

    private static void migrate(Flyway flyway, String feature) {
        try {
            flyway.migrate();
        } catch (FlywayValidateException e) {
            var newer = Arrays.stream(flyway.info().all())
                    .filter(each -> each.getState() == MigrationState.FUTURE_SUCCESS)
                    .reduce((first, second) -> second);
            throw newer.isEmpty()
                    ? e
                    : new DatabaseException(
                            Text.of(
                                    "server.start.newer-schema",
                                    "schema",
                                    feature,
                                    "version",
                                    newer.get().getVersion()),
                            e);
        }
    }

    /** A role that may not create schemas needs them made for it, or the right. */
    private static void requireCreate(DataSource connections, List<String> features) {
        try (var connection = connections.getConnection();
                var statement = connection.prepareStatement("""
                        SELECT current_user, current_database() FROM unnest(?) AS feature
                        WHERE NOT has_database_privilege(current_database(), 'CREATE') AND to_regnamespace(feature) IS NULL
                        """)) {
            statement.setArray(1, connection.createArrayOf("text", features.toArray()));
            try (var rows = statement.executeQuery()) {
                if (rows.next()) {
                    throw new DatabaseException(Text.of(
                            "server.start.no-schemas", "database", rows.getString(2), "role", rows.getString(1)));
                }
            }
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    /**
     * Rebuilds the indexes of collations whose rules a newer ICU has changed: they hold names in an order that no search goes by
     * any more. Index and version change in one transaction; of several nodes one does it.
     */
    private static void refreshCollations(DataSource connections) {
        try (var connection = connections.getConnection();
                var statement = connection.createStatement()) {
            if (outdated(statement).isEmpty()) {
                return;
            }
            connection.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(" + COLLATION_LOCK + ")");
            var collations = outdated(statement);
            for (var index : indexes(statement, collations)) {
                log.info("rebuilding {}: the rules of {} have changed", index, collations);
                statement.execute("REINDEX INDEX " + index);
            }
            for (var collation : collations) {
                statement.execute("ALTER COLLATION " + collation + " REFRESH VERSION");
            }
            connection.commit();
        } catch (SQLException e) {
            throw new DatabaseException(
                    Text.of("server.start.no-reindex", "reason", String.valueOf(e.getMessage())), e);
        }
    }

    private static List<String> outdated(Statement statement) throws SQLException {
        return strings(statement, """
                SELECT c.oid::regcollation::text
                FROM pg_collation c
                WHERE c.collnamespace = to_regnamespace('platform')
                  AND c.collversion IS DISTINCT FROM pg_collation_actual_version(c.oid)
                ORDER BY 1
                """);
    }

    private static List<String> indexes(Statement statement, List<String> collations) throws SQLException {
        return strings(statement, """
                SELECT i.indexrelid::regclass::text
                FROM pg_index i
                WHERE CAST(i.indcollation AS oid[]) && CAST(CAST('{%s}' AS regcollation[]) AS oid[])
                ORDER BY 1
                """.formatted(String.join(",", collations)));
    }

    private static List<String> strings(Statement statement, String sql) throws SQLException {
        var found = new ArrayList<String>();
        try (var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    /**
     * The migrations of one feature: its scripts are under {@code io/hiroba/<feature>/db}, its tables and its history in the
     * schema of that name.
     */
    public static FluentConfiguration of(String feature, DatabaseConfig database) {
        var owner = database.asOwner();
        return Flyway.configure()
                // Without the time limits of requests: building an index may take longer.
                .dataSource(new LoginDataSource(owner, false))
                .schemas(feature)
                .defaultSchema(feature)
                .createSchemas(true)
                .table("schema_history")
                .locations("classpath:io/hiroba/" + feature + "/db")
                .placeholders(Map.of(INBOX_PARTITIONS, "32"))
                // A migration that is not known here was made by a newer program, whose tables this one does not
                // understand.
                .ignoreMigrationPatterns(new String[0])
                .validateMigrationNaming(true);
    }
}
