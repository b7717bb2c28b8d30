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

/** Plain JDBC on the same pool, with every column of what was found read. */
final class Jdbc {

    private final Db db;

    Jdbc(Db db) {
        this.db = db;
    }

    /** A statement and the values of its parameters. */
    record Question(String sql, List<?> values) {

        static Question of(String sql, Object... values) {
            return new Question(sql, List.of(values));
        }
    }

    /** Runs it; the first column is the id. */
    List<UUID> ids(Question question) {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.prepareStatement(question.sql())) {
            bind(statement, question.values());
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
            throw new IllegalStateException(question.sql(), e);
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

    /** Copies lines of CSV. */
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

    /** A cell of CSV. */
    static String cell(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
