package io.hiroba.backup;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyInputStream;

/** Reads the rows and the settings of a whole server over a connection of its superuser, and writes them to another one. */
final class ClusterStore implements AutoCloseable {

    private final Connection connection;

    ClusterStore(Connection connection) throws SQLException {
        this.connection = connection;
        // So that all names are written with their schemas.
        run("SET search_path = ''");
    }

    /** A table that has rows itself. */
    record RowTable(String name, List<String> columns) {

        private String list() {
            return String.join(", ", columns);
        }
    }

    /** The number of a table's rows, and a sum of them that does not depend on their order. */
    record RowSum(long rows, String sum) {}

    Connection connection() {
        return connection;
    }

    List<String> strings(String sql, String... arguments) throws SQLException {
        var found = new ArrayList<String>();
        try (var statement = connection.prepareStatement(sql)) {
            for (int n = 0; n < arguments.length; n++) {
                statement.setString(n + 1, arguments[n]);
            }
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            // What is between braces in a function is none of the driver's business.
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    void runAll(List<String> statements) throws SQLException {
        for (var each : statements) {
            run(each);
        }
    }

    /** Begins to read one moment of the server; the answer names the moment for other connections. */
    String beginReading() throws SQLException {
        connection.setAutoCommit(false);
        run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        return strings("SELECT pg_export_snapshot()").getFirst();
    }

    void beginReading(String moment) throws SQLException {
        connection.setAutoCommit(false);
        run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        run("SET TRANSACTION SNAPSHOT '" + moment + "'");
    }

    /** Leaves out triggers and checks of references: what is copied has gone through them. */
    void beginWriting() throws SQLException {
        run("SET session_replication_role = replica");
    }

    /** The databases beside the one that is used. */
    List<String> otherDatabases() throws SQLException {
        return strings("""
                SELECT datname FROM pg_catalog.pg_database
                WHERE datname NOT IN ('template0', 'template1', 'postgres') ORDER BY 1
                """);
    }

    /** The features with the version that each is migrated to, as far as it is migrated. */
    Map<String, String> migrations() throws SQLException {
        var found = new LinkedHashMap<String, String>();
        for (var schema : strings("""
                SELECT schemaname FROM pg_catalog.pg_tables WHERE tablename = 'schema_history' ORDER BY 1
                """)) {
            for (var version : strings("""
                    SELECT version FROM %s.schema_history
                    WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1
                    """.formatted(quoted(schema)))) {
                found.put(schema, version);
            }
        }
        return found;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The tables of all schemas, the largest first; of a partitioned one its partitions. */
    List<RowTable> tables() throws SQLException {
        var found = new LinkedHashMap<String, List<String>>();
        for (var row : strings("""
                SELECT format('%I.%I', n.nspname, c.relname) || chr(31) || quote_ident(a.attname)
                FROM pg_catalog.pg_class c
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
                WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                    AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
                    AND NOT EXISTS (
                        SELECT FROM pg_catalog.pg_depend d
                        WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
                ORDER BY pg_catalog.pg_table_size(c.oid) DESC, c.oid, a.attnum
                """)) {
            int end = row.indexOf('\u001F');
            found.computeIfAbsent(row.substring(0, end), name -> new ArrayList<>())
                    .add(row.substring(end + 1));
        }
        return found.entrySet().stream()
                .map(each -> new RowTable(each.getKey(), List.copyOf(each.getValue())))
                .toList();
    }

    /** The names of the tables that may have rows: the others, most of them in a young database, need no work. */
    Set<String> filled() throws SQLException {
        return new TreeSet<>(strings("""
                SELECT format('%I.%I', n.nspname, c.relname)
                FROM pg_catalog.pg_class c
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
                    AND pg_catalog.pg_relation_size(c.oid) > 0
                """));
    }

    void empty(Collection<String> tables) throws SQLException {
        if (!tables.isEmpty()) {
            run("TRUNCATE " + String.join(", ", tables) + " CASCADE");
        }
    }

    /** Makes statistics of the tables with rows, and of those whose partitions have some, which nothing does by itself. */
    void analyze() throws SQLException {
        var tables = new TreeSet<>(filled());
        tables.addAll(strings("""
                SELECT DISTINCT CAST(CAST(i.inhparent AS regclass) AS text)
                FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
                WHERE c.relkind = 'r' AND pg_catalog.pg_relation_size(c.oid) > 0
                """));
        if (!tables.isEmpty()) {
            run("ANALYZE " + String.join(", ", tables));
        }
    }

    /** Copies the rows of a table to another server. */
    void copy(RowTable table, ClusterStore to, TransferMeter meter) throws SQLException, IOException {
        try (var rows = new PGCopyInputStream(
                connection.unwrap(PGConnection.class),
                "COPY %s (%s) TO STDOUT".formatted(table.name(), table.list()))) {
            var copies = to.connection.unwrap(PGConnection.class).getCopyAPI();
            copies.copyIn(
                    "COPY %s (%s) FROM STDIN".formatted(table.name(), table.list()), new Metered(rows, meter), 1 << 16);
        }
    }

    /** A stream that tells how much of it was read. */
    private static final class Metered extends InputStream {
        private final InputStream source;
        private final TransferMeter meter;

        private Metered(InputStream source, TransferMeter meter) {
            this.source = source;
            this.meter = meter;
        }

        @Override
        public int read() throws IOException {
            return source.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = source.read(target, offset, length);
            if (count > 0) {
                synchronized (meter) {
                    meter.add(count);
                }
            }
            return count;
        }
    }

    RowSum sum(RowTable table) throws SQLException {
        return strings("""
                        SELECT count(*) || ' ' || coalesce(sum(hashtextextended(CAST(ROW(%s) AS text), 0)), 0)
                        FROM ONLY %s
                        """.formatted(table.list(), table.name())).stream()
                .map(each -> each.split(" ", 2))
                .map(each -> new RowSum(Long.parseLong(each[0]), each[1]))
                .toList()
                .getFirst();
    }

    /** The statements that set sequences as they are. */
    List<String> sequences() throws SQLException {
        var statements = new ArrayList<String>();
        for (var name : strings("""
                SELECT format('%I.%I', schemaname, sequencename) FROM pg_catalog.pg_sequences ORDER BY 1
                """)) {
            statements.addAll(strings("SELECT format('SELECT setval(%L, %s, %L)', '" + name.replace("'", "''")
                    + "', last_value, is_called) FROM " + name));
        }
        return statements;
    }

    /**
     * The statements that make roles, let them be members of others, and set what is set for roles, each as a line that is only
     * needed where another server does not have it.
     */
    SortedSet<String> roles() throws SQLException {
        // They sort in the order in which they have to be run.
        var lines = new TreeSet<>(strings("""
                SELECT '1' || format('CREATE ROLE %I', rolname) FROM pg_catalog.pg_authid WHERE rolname !~ '^pg_'
                """));
        lines.addAll(strings("""
                SELECT '2' || format('ALTER ROLE %I %s %s %s %s %s %s %s CONNECTION LIMIT %s%s%s', rolname,
                    CASE WHEN rolsuper THEN 'SUPERUSER' ELSE 'NOSUPERUSER' END,
                    CASE WHEN rolinherit THEN 'INHERIT' ELSE 'NOINHERIT' END,
                    CASE WHEN rolcreaterole THEN 'CREATEROLE' ELSE 'NOCREATEROLE' END,
                    CASE WHEN rolcreatedb THEN 'CREATEDB' ELSE 'NOCREATEDB' END,
                    CASE WHEN rolcanlogin THEN 'LOGIN' ELSE 'NOLOGIN' END,
                    CASE WHEN rolreplication THEN 'REPLICATION' ELSE 'NOREPLICATION' END,
                    CASE WHEN rolbypassrls THEN 'BYPASSRLS' ELSE 'NOBYPASSRLS' END,
                    rolconnlimit,
                    coalesce(' PASSWORD ' || quote_literal(rolpassword), ''),
                    coalesce(' VALID UNTIL ' || quote_literal(rolvaliduntil), ''))
                FROM pg_catalog.pg_authid WHERE rolname !~ '^pg_' AND rolname !~ '^hiroba(_owner|_app|_readonly)?$'
                """));
        // Those that the superuser has granted come first: they let others grant.
        lines.addAll(strings("""
                SELECT CASE WHEN g.rolsuper THEN '3' ELSE '4' END || format(
                    'GRANT %I TO %I WITH ADMIN %s, INHERIT %s, SET %s GRANTED BY %I',
                    r.rolname, m.rolname, CAST(m2.admin_option AS text), CAST(m2.inherit_option AS text),
                    CAST(m2.set_option AS text), g.rolname)
                FROM pg_catalog.pg_auth_members m2
                JOIN pg_catalog.pg_authid r ON r.oid = m2.roleid
                JOIN pg_catalog.pg_authid m ON m.oid = m2.member
                JOIN pg_catalog.pg_authid g ON g.oid = m2.grantor
                WHERE m.rolname !~ '^pg_'
                """));
        for (var row : strings("""
                SELECT '5' || format('ALTER %s SET %I TO ',
                    CASE WHEN s.setrole = 0 THEN format('DATABASE %I', d.datname)
                         WHEN s.setdatabase = 0 THEN format('ROLE %I', r.rolname)
                         ELSE format('ROLE %I IN DATABASE %I', r.rolname, d.datname) END,
                    split_part(each, '=', 1)) || chr(31) || each
                FROM pg_catalog.pg_db_role_setting s
                LEFT JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
                LEFT JOIN pg_catalog.pg_authid r ON r.oid = s.setrole
                CROSS JOIN LATERAL unnest(s.setconfig) AS each
                """)) {
            int end = row.indexOf('\u001F');
            lines.add(row.substring(0, end)
                    + ServerSetting.parse(row.substring(end + 1)).sql());
        }
        return lines;
    }

    /** What the operator has set by {@code ALTER SYSTEM}. */
    List<ServerSetting> settings() throws SQLException {
        return strings("""
                        SELECT name || '=' || setting FROM pg_catalog.pg_file_settings
                        WHERE sourcefile ~ 'postgresql\\.auto\\.conf$' AND name IS NOT NULL ORDER BY seqno
                        """).stream().map(ServerSetting::parse).toList();
    }

    /** Sets what the operator had set; false if this version does not know it any more. */
    boolean set(ServerSetting setting) throws SQLException {
        try {
            run("ALTER SYSTEM SET %s = %s".formatted(quoted(setting.name()), setting.sql()));
            return true;
        } catch (SQLException e) {
            if ("42704".equals(e.getSQLState()) || "22023".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
