package io.hiroba.embedded;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection of the superuser to the database of a folder, whose server is started and stopped for it unless it runs. */
public record DatabaseVisit(Connection connection, AutoCloseable server) implements AutoCloseable {

    public static DatabaseVisit of(EmbeddedConfig config) throws IOException, SQLException {
        var server = RunningServer.of(config, step -> {});
        try {
            return new DatabaseVisit(server.connect(), server);
        } catch (SQLException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        try {
            connection.close();
        } finally {
            closeServer();
        }
    }

    private void closeServer() {
        try {
            server.close();
        } catch (Exception e) {
            throw new EmbeddedException("The server did not stop: " + e.getMessage(), e);
        }
    }
}
