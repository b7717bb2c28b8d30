package io.hiroba.platform.events;

import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Sends and receives notifications of PostgreSQL. */
final class CommitSignalStore {

    private static final String CHANNEL = "hiroba_signals";

    /** A connection of its own that listens. */
    Connection listen(DatabaseConfig config) throws SQLException {
        var connection = Db.connect(config);
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN " + CHANNEL);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Waits for notifications; none after {@code timeout}, if the connection still works. */
    List<String> receive(Connection connection, Duration timeout) throws SQLException {
        var received = connection.unwrap(PGConnection.class).getNotifications((int) timeout.toMillis());
        if (received.length > 0) {
            return Arrays.stream(received).map(PGNotification::getParameter).toList();
        }
        // A connection that was cut somewhere on the way would stay silent for ever.
        try (var statement = connection.createStatement()) {
            statement.execute("SELECT true");
        }
        return List.of();
    }

    /** A statement of its own: within the transaction of a change it would let all commits wait for each other. */
    long send(Reads reads, Collection<String> messages) {
        return reads.query("SELECT count(pg_notify('%s', message)) FROM unnest(:messages) AS m (message)"
                        .formatted(CHANNEL))
                .bindArray("messages", String.class, messages)
                .mapTo(Long.class)
                .one();
    }
}
