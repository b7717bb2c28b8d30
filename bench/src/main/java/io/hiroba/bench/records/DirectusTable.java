package io.hiroba.bench.records;

import io.hiroba.bench.ServerProcess.Database;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.Collectors;

/** The table that Directus serves, with a column for each attribute and an index for each that can be sorted. */
final class DirectusTable {

    static final String DATABASE = "directus";
    private static final int BATCH = 1000;

    private DirectusTable() {}

    static void createDatabase(Database database) {
        try (var connection = connect(database, "postgres");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static void fill(Database database, long rows) {
        System.err.printf("· filling Directus with %,d records%n", rows);
        var columns = String.join(", ", RecordsData.COLUMNS);
        try (var connection = connect(database, DATABASE);
                var statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE item (
                        id UUID PRIMARY KEY DEFAULT gen_random_uuid(), title TEXT, sku TEXT, status TEXT, city TEXT, price NUMERIC,
                        quantity NUMERIC, rating NUMERIC, sold_at TIMESTAMPTZ, active BOOLEAN, extra JSONB)
                    """);
            var indexes = RecordsData.COLUMNS.stream()
                    .filter(column -> !column.equals("extra"))
                    .map("CREATE INDEX ON item (%s)"::formatted)
                    .collect(Collectors.joining(";"));
            statement.execute(indexes);
            connection.setAutoCommit(false);
            try (var insert = connection.prepareStatement("INSERT INTO item (id, " + columns
                    + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS timestamptz), ?, CAST(? AS jsonb))")) {
                insert(insert, rows);
            }
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("VACUUM ANALYZE item");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void insert(PreparedStatement insert, long rows) throws SQLException {
        for (long n = 0; n < rows; n++) {
            var item = SampleRecord.of(n);
            insert.setObject(1, item.id());
            insert.setString(2, item.title());
            insert.setString(3, item.sku());
            insert.setString(4, item.status());
            insert.setString(5, item.city());
            insert.setBigDecimal(6, new BigDecimal(item.price()));
            insert.setInt(7, item.quantity());
            insert.setBigDecimal(8, new BigDecimal(item.rating()));
            insert.setString(9, item.texts().get(7));
            insert.setBoolean(10, item.active());
            insert.setString(11, item.extra());
            insert.addBatch();
            if (n % BATCH == BATCH - 1 || n == rows - 1) {
                insert.executeBatch();
            }
        }
    }

    private static Connection connect(Database database, String name) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:%d/%s".formatted(database.port(), name),
                database.user(),
                database.password());
    }
}
