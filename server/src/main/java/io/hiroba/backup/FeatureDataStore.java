package io.hiroba.backup;

import io.hiroba.backup.FeatureManifest.Table;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyInputStream;

/** Reads and replaces all rows of a feature's schema over one connection of its owner. */
final class FeatureDataStore {

    private final Connection connection;
    private final String schema;

    FeatureDataStore(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    private List<List<String>> rows(String sql, String... arguments) throws SQLException {
        var rows = new ArrayList<List<String>>();
        try (var statement = connection.prepareStatement(sql)) {
            for (int n = 0; n < arguments.length; n++) {
                statement.setString(n + 1, arguments[n]);
            }
            try (var result = statement.executeQuery()) {
                while (result.next()) {
                    var row = new ArrayList<String>();
                    for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                        row.add(String.valueOf(result.getString(column)));
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Begins a transaction without a limit of time; that of a reader sees one moment. */
    void begin(boolean isReader) throws SQLException {
        connection.setAutoCommit(false);
        run(isReader ? "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY" : "SET LOCAL lock_timeout = '30s'");
        run("SET LOCAL statement_timeout = 0");
        run("SET LOCAL idle_in_transaction_session_timeout = 0");
    }

    void commit() throws SQLException {
        connection.commit();
    }

    Instant now() throws SQLException {
        return OffsetDateTime.parse(
                        rows("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
                                .getFirst()
                                .getFirst())
                .toInstant();
    }

    /** The names of the features, which are the schemas with a history of migrations. */
    List<String> features() throws SQLException {
        return rows("SELECT schemaname FROM pg_tables WHERE tablename = 'schema_history' ORDER BY 1").stream()
                .map(List::getFirst)
                .toList();
    }

    String migration() throws SQLException {
        return rows("SELECT version FROM " + quoted("schema_history")
                        + " WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1")
                .getFirst()
                .getFirst();
    }

    private static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private String quoted(String table) {
        return identifier(schema) + "." + identifier(table);
    }

    private static String columns(Table table) {
        return table.columns().stream().map(FeatureDataStore::identifier).collect(Collectors.joining(", "));
    }

    /** The tables with their columns, without those that are computed; partitions are part of their tables. */
    List<Table> tables() throws SQLException {
        var found = new TreeMap<String, List<String>>();
        rows("""
                        SELECT c.relname, a.attname
                        FROM pg_class c
                        LEFT JOIN pg_attribute a
                            ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                        WHERE c.relnamespace = to_regnamespace(?) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                            AND c.relname <> 'schema_history'
                        ORDER BY c.relname, a.attname
                        """, schema)
                .forEach(row -> found.computeIfAbsent(row.getFirst(), name -> new ArrayList<>())
                        .add(row.getLast()));
        return found.entrySet().stream()
                .map(each -> new Table(each.getKey(), each.getValue(), 0))
                .toList();
    }

    Map<String, Long> sequences() throws SQLException {
        var found = new TreeMap<String, Long>();
        rows(
                        "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = ? AND last_value IS NOT NULL",
                        schema)
                .forEach(row -> found.put(row.getFirst(), Long.valueOf(row.getLast())));
        return found;
    }

    long count(Table table) throws SQLException {
        return Long.parseLong(
                rows("SELECT count(*) FROM " + quoted(table.name())).getFirst().getFirst());
    }

    InputStream read(Table table) throws SQLException {
        return new PGCopyInputStream(
                connection.unwrap(PGConnection.class),
                "COPY (SELECT " + columns(table) + " FROM " + quoted(table.name()) + ") TO STDOUT");
    }

    /** The name of a program that uses the database, if there is any. */
    Optional<String> user() throws SQLException {
        return rows("""
                        SELECT application_name
                        FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name LIKE 'hiroba %' AND pid <> pg_backend_pid()
                        LIMIT 1
                        """).stream().map(List::getFirst).findFirst();
    }

    /** The name of another schema whose rows point at rows of this one, if there is any. */
    Optional<String> dependent() throws SQLException {
        return rows("""
                        SELECT n.nspname
                        FROM pg_constraint k
                        JOIN pg_class target ON target.oid = k.confrelid
                        JOIN pg_class source ON source.oid = k.conrelid
                        JOIN pg_namespace n ON n.oid = source.relnamespace
                        WHERE k.contype = 'f' AND target.relnamespace = to_regnamespace(?)
                            AND source.relnamespace <> target.relnamespace
                        LIMIT 1
                        """, schema).stream().map(List::getFirst).findFirst();
    }

    /** The foreign keys that are checked row by row: the table and the name of each. */
    private List<List<String>> references() throws SQLException {
        return rows("""
                SELECT c.relname, k.conname
                FROM pg_constraint k
                JOIN pg_class c ON c.oid = k.conrelid
                WHERE k.contype = 'f' AND c.relnamespace = to_regnamespace(?) AND NOT k.condeferrable AND k.conparentid = 0
                """, schema);
    }

    /** The rows of a table that are put in its place. */
    interface Source {
        InputStream open(Table table) throws IOException;
    }

    /**
     * Replaces all rows, without the triggers that would count or tell of them; that every reference leads to a row is checked at the
     * end.
     */
    void replace(List<Table> tables, Source source) throws SQLException, IOException {
        if (tables.isEmpty()) {
            return;
        }
        var references = references();
        for (var each : references) {
            run("ALTER TABLE %s ALTER CONSTRAINT %s DEFERRABLE INITIALLY DEFERRED"
                    .formatted(quoted(each.getFirst()), identifier(each.getLast())));
        }
        for (var table : tables) {
            run("ALTER TABLE " + quoted(table.name()) + " DISABLE TRIGGER USER");
        }
        run("TRUNCATE " + tables.stream().map(table -> quoted(table.name())).collect(Collectors.joining(", ")));
        var copy = connection.unwrap(PGConnection.class).getCopyAPI();
        for (var table : tables) {
            try (var content = source.open(table)) {
                copy.copyIn("COPY " + quoted(table.name()) + " (" + columns(table) + ") FROM STDIN", content);
            }
        }
        run("SET CONSTRAINTS ALL IMMEDIATE");
        for (var table : tables) {
            run("ALTER TABLE " + quoted(table.name()) + " ENABLE TRIGGER USER");
        }
        for (var each : references) {
            run("ALTER TABLE %s ALTER CONSTRAINT %s NOT DEFERRABLE"
                    .formatted(quoted(each.getFirst()), identifier(each.getLast())));
        }
    }

    /** Moves a sequence on to a value, never back: what was handed out since is not handed out again. */
    void advance(String sequence, long value) throws SQLException {
        rows(
                "SELECT setval(?::regclass, greatest(?::bigint, (SELECT last_value FROM " + quoted(sequence) + ")))",
                quoted(sequence),
                Long.toString(value));
    }
}
