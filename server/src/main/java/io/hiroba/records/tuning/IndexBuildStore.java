package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.records.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds and drops indexes as the owner of the tables, on a connection for statements that may take hours. An advisory lock of its session admits
 * one at a time on the whole database; a node that dies releases it.
 */
final class IndexBuildStore implements AutoCloseable {

    private static final String LOCK = "hashtext('records.hot_indexes'), 0";

    private final Connection connection;
    private volatile @Nullable Statement running;
    private volatile boolean cancelled;

    private IndexBuildStore(Connection connection) {
        this.connection = connection;
    }

    /** Empty while another node holds the lock. */
    static Optional<IndexBuildStore> open(Db db) throws SQLException {
        var connection = db.connectAsOwner();
        try {
            if (queryBoolean(connection, "SELECT pg_try_advisory_lock(" + LOCK + ")")) {
                connection.setNetworkTimeout(Runnable::run, 0);
                execute(connection, "SET statement_timeout = 0");
                return Optional.of(new IndexBuildStore(connection));
            }
            connection.close();
            return Optional.empty();
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    void create(StoredIndex wanted, Schema schema, HotIndex index) throws SQLException {
        var equality = index.equality() == null ? "" : "(" + index.equalitySql("doc") + "), ";
        execute("CREATE INDEX CONCURRENTLY \"%s\" ON %s (%s(%s), row_id) WHERE schema_id = %d"
                .formatted(wanted.name(), wanted.tables().records(), equality, index.orderSql("doc"), schema.id()));
    }

    void drop(StoredIndex index) throws SQLException {
        execute("DROP INDEX CONCURRENTLY IF EXISTS records.\"%s\"".formatted(index.name()));
    }

    /** Runs one statement; {@link #cancel} cancels it. */
    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            running = statement;
            if (!cancelled) {
                statement.execute(sql);
            }
        } finally {
            running = null;
        }
    }

    /** Cancels the running statement and refuses further ones. */
    void cancel() throws SQLException {
        cancelled = true;
        var statement = running;
        if (statement != null) {
            statement.cancel();
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Releases the lock with the connection. */
    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean queryBoolean(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            return result.next() && result.getBoolean(1);
        }
    }
}
