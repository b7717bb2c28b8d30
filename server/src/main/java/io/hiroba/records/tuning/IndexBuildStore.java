package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds and drops indexes on a connection for statements that may take hours. There is one at a time on the whole
 * database: whoever has it makes the indexes, and a node that dies leaves it to another.
 */
final class IndexBuildStore implements AutoCloseable {

    private static final String LOCK = "hashtext('records.hot_indexes'), 0";

    private final Connection connection;
    private final int timeout;
    private volatile @Nullable Statement running;
    private volatile boolean cancelled;

    private IndexBuildStore(Connection connection, int timeout) {
        this.connection = connection;
        this.timeout = timeout;
    }

    /** None while another node has it. */
    static Optional<IndexBuildStore> open(Db db) throws SQLException {
        var connection = db.dataSource().getConnection();
        try {
            if (asks(connection, "SELECT pg_try_advisory_lock(" + LOCK + ")")) {
                int timeout = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, 0);
                execute(connection, "SET statement_timeout = 0");
                return Optional.of(new IndexBuildStore(connection, timeout));
            }
            connection.close();
            return Optional.empty();
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Runs one statement; {@link #cancel} ends it. */
    void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            running = statement;
            if (!cancelled) {
                statement.execute(sql);
            }
        } finally {
            running = null;
        }
    }

    /** Ends what is running, and lets nothing more begin. */
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

    /** Gives the connection back as it was. What cannot be given back so is closed, and the lock with it. */
    @Override
    public void close() throws SQLException {
        try {
            execute(connection, "RESET statement_timeout");
            asks(connection, "SELECT pg_advisory_unlock(" + LOCK + ")");
            connection.setNetworkTimeout(Runnable::run, timeout);
        } catch (SQLException e) {
            connection.abort(Runnable::run);
            throw e;
        } finally {
            connection.close();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean asks(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var answer = statement.executeQuery(sql)) {
            return answer.next() && answer.getBoolean(1);
        }
    }
}
