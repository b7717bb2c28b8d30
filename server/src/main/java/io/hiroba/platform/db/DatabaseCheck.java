package io.hiroba.platform.db;

import io.hiroba.platform.i18n.Text;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Checks a PostgreSQL server before the start, and reports in one sentence why it cannot be used. */
public final class DatabaseCheck {

    private static final int OLDEST = 16;
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String PROTOCOL_VIOLATION = "08P01";
    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final int SESSION_ROUNDS = 3;

    private DatabaseCheck() {}

    /** The configuration to open the database with, once it is reachable, new enough, has ICU and pgvector, and keeps sessions apart. */
    public static DatabaseConfig pass(DatabaseConfig config) {
        return check(config, true);
    }

    /** As above, for who only looks: nothing is made in the database, and it may be a standby. */
    public static DatabaseConfig inspect(DatabaseConfig config) {
        return check(config, false);
    }

    private static DatabaseConfig check(DatabaseConfig config, boolean installs) {
        var resolved = DatabaseUrl.resolve(config);
        try (var connection = Db.connect(resolved)) {
            requireVersion(connection.getMetaData().getDatabaseMajorVersion());
            requireIcu(connection);
            requireSettings(resolved, connection);
            requireSession(resolved, connection);
        } catch (SQLException e) {
            throw refused(resolved, e);
        }
        var owner = resolved.asOwner();
        try (var connection = Db.connect(owner)) {
            requireLastingOwner(owner, connection);
            requireVector(connection);
            if (installs) {
                installVector(connection);
            }
        } catch (SQLException e) {
            throw refused(owner, e);
        }
        return resolved;
    }

    /** The limits of time, the time zone and the planner's settings are all lost where one of them is. */
    private static void requireSettings(DatabaseConfig config, Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT CAST(setting AS bigint) FROM pg_settings WHERE name = 'statement_timeout'")) {
            if (!row.next() || row.getLong(1) != config.statementTimeout().toMillis()) {
                throw new DatabaseException(Text.of("server.start.pooler-drops-settings", "address", where(config)));
            }
        }
    }

    /**
     * Refuses a server that gives a connection another session for each transaction: while one connection has a transaction
     * open, another must find its own session as it was. A pooler gives the session that was used last to the next
     * transaction; several rounds, as others may come in between.
     */
    private static void requireSession(DatabaseConfig config, Connection connection) throws SQLException {
        try (var other = Db.connect(config)) {
            other.setAutoCommit(false);
            for (int round = 0; round < SESSION_ROUNDS; round++) {
                int session = session(connection);
                if (session(other) == session || session(connection) != session) {
                    throw new DatabaseException(
                            Text.of("server.start.pooler-shares-sessions", "address", where(config)));
                }
                other.rollback();
            }
        }
    }

    /** A role that Vault drops at the end must not own what is migrated. */
    private static void requireLastingOwner(DatabaseConfig owner, Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT current_user")) {
            row.next();
            var role = row.getString(1);
            if (owner.credentials().isTemporary() && role.equals(owner.login().user())) {
                throw new DatabaseException(Text.of("server.start.temporary-owner", "role", role));
            }
        }
    }

    private static int session(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static String where(DatabaseConfig config) {
        return config.url().replaceFirst("^jdbc:", "").replaceFirst("\\?.*$", "");
    }

    static void requireVersion(int version) {
        if (version < OLDEST) {
            throw new DatabaseException(Text.of("server.start.old-postgresql", "version", version, "oldest", OLDEST));
        }
    }

    static void requireIcu(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("SELECT 1 FROM pg_collation WHERE collprovider = 'i' LIMIT 1")) {
            if (!found.next()) {
                throw new DatabaseException(Text.of("server.start.no-icu"));
            }
        }
    }

    /** That it is installed in the database, or can be. */
    private static void requireVector(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                // Before 0.8 a filtered search stops after its first scan of the graph and silently misses results.
                var recent = statement.executeQuery("""
                        SELECT CAST(string_to_array(coalesce(installed_version, default_version), '.') AS int[]) >= ARRAY[0, 8]
                        FROM pg_available_extensions WHERE name = 'vector'
                        """)) {
            if (!recent.next()) {
                throw new DatabaseException(Text.of(
                        "server.start.no-pgvector",
                        "version",
                        connection.getMetaData().getDatabaseMajorVersion()));
            }
            if (!recent.getBoolean(1)) {
                throw new DatabaseException(Text.of("server.start.old-pgvector"));
            }
        }
    }

    private static void installVector(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public");
        } catch (SQLException e) {
            if (SqlState.is(e, INSUFFICIENT_PRIVILEGE)) {
                throw new DatabaseException(Text.of("server.start.no-extension"), e);
            }
            throw e;
        }
    }

    /** Why work failed, if it is that the database has gone, or cannot go on; empty if it is something else. */
    public static Optional<Text> lost(Throwable failure) {
        if (!SqlState.isUnavailable(failure) && !SqlState.isLoginRefused(failure)) {
            return Optional.empty();
        }
        var sentence = SqlState.isDiskFull(failure)
                ? "server.start.full-database"
                : SqlState.is(failure, TOO_MANY_CONNECTIONS)
                        ? "server.start.no-connections"
                        : "server.start.lost-database";
        return Optional.of(Text.of(sentence, "reason", reason(failure)));
    }

    /** The database's own words, or the driver's: a pool only says that it has waited. */
    static String reason(Throwable failure) {
        var words = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException && cause.getMessage() != null) {
                words = cause.getMessage();
            }
        }
        return words.lines().findFirst().orElse("").replaceFirst("\\.$", "");
    }

    private static DatabaseException refused(DatabaseConfig config, SQLException failure) {
        var state = String.valueOf(SqlState.of(failure));
        var where = where(config);
        if (SqlState.isLoginRefused(failure)) {
            return new DatabaseException(
                    Text.of(
                            "server.start.login-refused",
                            "address",
                            where,
                            "role",
                            config.login().user()),
                    failure);
        }
        if (state.equals("3D000")) {
            return new DatabaseException(Text.of("server.start.no-database", "address", where), failure);
        }
        if (state.equals(PROTOCOL_VIOLATION)) {
            return new DatabaseException(Text.of("server.start.pooler-refuses-settings", "address", where), failure);
        }
        if (state.equals(TOO_MANY_CONNECTIONS)) {
            return new DatabaseException(Text.of("server.start.no-connections", "reason", reason(failure)), failure);
        }
        if (state.startsWith("08") && config.url().contains(DatabaseUrl.TARGET)) {
            return new DatabaseException(Text.of("server.start.no-primary", "address", where), failure);
        }
        if (state.startsWith("08")) {
            return new DatabaseException(Text.of("server.start.no-postgresql", "address", where), failure);
        }
        var reason = String.valueOf(failure.getMessage());
        return new DatabaseException(
                Text.of("server.start.unusable-database", "address", where, "state", state, "reason", reason), failure);
    }
}
