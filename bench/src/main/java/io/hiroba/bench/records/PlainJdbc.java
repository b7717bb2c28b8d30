package io.hiroba.bench.records;

import io.hiroba.platform.db.Db;
import java.io.IOException;
import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/** Runs statements in plain JDBC on the same pool and reads every column. */
final class PlainJdbc {

    private final Db db;

    PlainJdbc(Db db) {
        this.db = db;
    }

    /** A statement and the values of its parameters. */
    record Statement(String sql, List<?> values) {

        static Statement of(String sql, Object... values) {
            return new Statement(sql, List.of(values));
        }
    }

    /** Runs a query whose first column is the id. */
    List<UUID> ids(Statement query) {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.prepareStatement(query.sql())) {
            bind(statement, query.values());
            var ids = new ArrayList<UUID>();
            try (var rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    ids.add(rows.getObject(1, UUID.class));
                    for (int column = 2; column <= columns; column++) {
                        rows.getObject(column);
                    }
                }
            }
            return ids;
        } catch (SQLException e) {
            throw new IllegalStateException(query.sql(), e);
        }
    }

    /** Runs the statement for each of {@code rows}, in one transaction. */
    void batch(String sql, Stream<List<?>> rows) {
        try (var connection = db.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.prepareStatement(sql)) {
                for (var values : (Iterable<List<?>>) rows::iterator) {
                    bind(statement, values);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Runs COPY with CSV. */
    void copy(String sql, String csv) {
        try (var connection = db.dataSource().getConnection()) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql, new StringReader(csv));
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static void bind(PreparedStatement statement, List<?> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
    }

    /** Quotes a cell of CSV. */
    static String cell(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
