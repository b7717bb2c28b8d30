package io.hiroba.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** The address of a server on this machine and the key to it. */
record Login(int port, String password) {
    /** The result of a login. */
    enum Answer {
        /** It is the server of this folder, with the wanted promises. */
        OURS,
        /** It is the server of this folder, but it runs without the durability that is wanted, or an upgrade has started it to read only. */
        NOT_DURABLE,
        /** It is reached, and it is another folder's server or it refuses the password. */
        REFUSED,
        /** Nobody answers, or not yet. */
        SILENT
    }

    String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    Connection connect(String database) throws SQLException {
        return connect(database, "10");
    }

    /** For statements that may take any time. */
    Connection connectPatiently(String database) throws SQLException {
        return connect(database, "0");
    }

    private Connection connect(String database, String socketTimeout) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", DataFolder.USER);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "3");
        properties.setProperty("socketTimeout", socketTimeout);
        return DriverManager.getConnection(jdbcUrl(database), properties);
    }

    /** The password is compared by SCRAM, in which the server, too, proves that it knows it. */
    Answer ask(Path pgdata, boolean durable) {
        try (var connection = connect("postgres");
                var statement = connection.createStatement();
                var row = statement.executeQuery("""
                        SELECT current_setting('data_directory'),
                            CASE WHEN source = 'command line' AND setting = 'on' THEN 'off' ELSE current_setting('fsync') END
                        FROM pg_settings WHERE name = 'default_transaction_read_only'
                        """)) {
            row.next();
            if (!Path.of(row.getString(1)).toRealPath().equals(pgdata.toRealPath())) {
                return Answer.REFUSED;
            }
            return durable && !row.getString(2).equals("on") ? Answer.NOT_DURABLE : Answer.OURS;
        } catch (SQLException e) {
            String state = e.getSQLState();
            return state != null && state.startsWith("28") ? Answer.REFUSED : Answer.SILENT;
        } catch (IOException e) {
            return Answer.REFUSED;
        }
    }
}
