package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ShownSquare;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The data of each released version, taken over by this one. A release keeps its data with
 * {@code ./hiroba test -pl server -am -Dtest=UpgradeTest -Dhiroba.keep-data=0.1 -Dsurefire.failIfNoSpecifiedTests=false}. The kept
 * histories hold the checksums of the migrations, so one that was released cannot be changed any more.
 */
@Tag("slow")
class UpgradeTest {

    private static final Path KEPT = Path.of("src", "test", "resources", "upgrade");
    private static final Pattern TABLE = Pattern.compile("COPY (\\S+ \\(.*\\)) FROM stdin;");
    private static final String HISTORY = ".schema_history ";

    /** Each table as {@code COPY} names it, without what the database makes by itself. */
    private static final String TABLES = """
            SELECT format('%%I.%%I (%%s)', n.nspname, c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum))
            FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            WHERE n.nspname = ANY (string_to_array('%s', ',')) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            GROUP BY n.nspname, c.relname
            ORDER BY n.nspname, c.relname
            """.formatted(String.join(",", App.SCHEMAS));

    /** The tables that each project of records has to itself, as a statement that makes them. */
    private static final String PROJECTS = """
            SELECT format('SELECT records.make_tables(%L);', substr(relname, length('eav_') + 1))
            FROM pg_class
            WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname LIKE 'eav\\_%'
            ORDER BY 1
            """;

    /** The next value of each sequence, as a statement that sets it. */
    private static final String SEQUENCES = """
            SELECT format('SELECT setval(%%L, %%s);', format('%%I.%%I', schemaname, sequencename), last_value)
            FROM pg_sequences
            WHERE schemaname = ANY (string_to_array('%s', ',')) AND last_value IS NOT NULL
            ORDER BY 1
            """.formatted(String.join(",", App.SCHEMAS));

    static List<Path> kept() throws IOException, SQLException {
        var version = System.getProperty("hiroba.keep-data");
        if (version != null) {
            keep(version);
        }
        try (var files = Files.list(KEPT)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("kept")
    void dataOfAnEarlierVersionIsTakenOver(Path file) throws Exception {
        var database = TestDatabase.createEmpty();
        load(file, database);
        addDatesWithTimes(database);
        database.handOver();
        try (var server = TestServer.on(database, "--http.rate-limit.enabled=false")) {
            var anonymous = ApiClient.anonymous(URI.create(server.url()).getPort());
            var email = strings(database, "SELECT email FROM accounts.users WHERE nickname = 'Hana'")
                    .getFirst();
            var token = anonymous.post(
                    "/api/v1/tokens",
                    Json.text(Map.of("email", email, "password", Square.PASSWORD, "name", "upgrade")));
            var reader = anonymous.token(token.text("token")).with("Accept", "text/html");
            assertThat(reader.get("/").body()).contains("The plum trees by the pond", "boat house");
            assertThat(reader.get("/notifications").body()).contains("notice like", "notice reply", "notice follow");
            assertThat(reader.get("/inbox").body()).contains("class=\"item ");
            assertThat(reader.get("/records").body()).contains("Shop");
            assertThat(strings(database, """
                    SELECT attr_name || ' ' || value_type FROM records.attributes_diphg74soaaaa_1a1e73801c000000
                    WHERE attr_id % 5 = 2 ORDER BY attr_id
                    """))
                    .containsExactly("made date", "packed datetime", "checked datetime", "due datetime", "paid date");
            assertThat(reader.get("/knowledge?q=tea&mode=keyword").body()).contains("Keep the leaves dark and dry");
            assertThat(reader.get("/sagas").body()).contains("order-1", "order-3");
        }
    }

    /** Dates were moments: some that are not all midnights, in a record, in the history or in the definition. */
    private static void addDatesWithTimes(TestDatabase database) throws SQLException {
        try (var connection = connection(database);
                var statement = connection.createStatement()) {
            statement.execute("SET session_replication_role = replica");
            statement.execute("""
                    INSERT INTO records.attributes_@ (attr_id, schema_id, attr_name, value_type, options)
                    SELECT a.id, 100, a.name, 'date', '{"required": false, "prefixSearch": false}' || CAST(a.options AS jsonb)
                    FROM (VALUES (27, 'packed', '{"options": [], "min": null}'), (32, 'checked', '{}'),
                                 (37, 'due', '{"max": 86400000001}'), (42, 'paid', '{"options": [0, 86400000000]}'))
                        AS a (id, name, options);
                    INSERT INTO records.eav_@ (row_id, schema_id, attr_id, value_date)
                    SELECT row_id, schema_id, 27, '2026-02-01 10:00:00Z' FROM records.records_@ LIMIT 1;
                    INSERT INTO records.history_@ (schema_id, row_id, version, at, changed_by, changes)
                    VALUES (100, gen_random_uuid(), 2, now(), 1, '{"32": [null, 3600000000], "42": [0, null]}');
                    """.replace("@", "diphg74soaaaa_1a1e73801c000000"));
        }
    }

    private static void keep(String version) throws IOException, SQLException {
        try (var shown = new ShownSquare()) {
            Files.createDirectories(KEPT);
            Files.writeString(KEPT.resolve(version + ".sql"), dump(shown.square.server.database()));
        }
    }

    /** The data as text: the projects, a block {@code COPY … \.} a table, then the sequences. */
    private static String dump(TestDatabase database) throws SQLException, IOException {
        var text = new StringWriter();
        strings(database, PROJECTS).forEach(project -> text.append(project).append('\n'));
        try (var connection = connection(database)) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            var copy = copies(connection);
            for (var table : strings(database, TABLES)) {
                var columns = table.substring(table.indexOf('(') + 1, table.lastIndexOf(')'));
                var rows = new StringWriter();
                if (copy.copyOut("COPY (SELECT %s FROM %s) TO STDOUT".formatted(columns, name(table)), rows) > 0) {
                    text.append("COPY ")
                            .append(table)
                            .append(" FROM stdin;\n")
                            .append(rows.toString())
                            .append("\\.\n");
                }
            }
        }
        strings(database, SEQUENCES).forEach(sequence -> text.append(sequence).append('\n'));
        return text.toString();
    }

    /** Makes the schema as it was, by the version of each feature's history, and fills it. */
    private static void load(Path file, TestDatabase database) throws SQLException, IOException {
        var lines = Files.readAllLines(file);
        for (var feature : App.SCHEMAS) {
            var history = lines.stream()
                    .filter(line -> line.startsWith("COPY " + feature + HISTORY))
                    .findFirst();
            // A feature that came later has none.
            if (history.isPresent()) {
                var applied =
                        rows(lines, lines.indexOf(history.get())).getLast().split("\t", -1);
                Migrations.of(feature, database.config())
                        .target(applied[1])
                        .load()
                        .migrate();
            }
        }
        try (var connection = connection(database);
                var statement = connection.createStatement()) {
            // Rows come table by table, and have been through the triggers before.
            statement.execute("SET session_replication_role = replica");
            statement.execute(strings(database, TABLES).stream()
                    .map(UpgradeTest::name)
                    .collect(Collectors.joining(", ", "TRUNCATE ", "")));
            for (int i = 0; i < lines.size(); i++) {
                var table = TABLE.matcher(lines.get(i));
                if (!table.matches()) {
                    statement.execute(lines.get(i));
                    continue;
                }
                var rows = rows(lines, i);
                copies(connection)
                        .copyIn(
                                "COPY " + table.group(1) + " FROM STDIN",
                                new StringReader(String.join("\n", rows) + "\n"));
                i += rows.size() + 1;
            }
        }
    }

    /** The name of a table without its columns. */
    private static String name(String table) {
        return table.substring(0, table.indexOf(' '));
    }

    private static List<String> rows(List<String> lines, int header) {
        return lines.subList(
                header + 1, header + 1 + lines.subList(header + 1, lines.size()).indexOf("\\."));
    }

    private static List<String> strings(TestDatabase database, String sql) {
        return database.db().read(reads -> reads.query(sql).mapTo(String.class).list());
    }

    private static Connection connection(TestDatabase database) throws SQLException {
        var config = database.superuser();
        return DriverManager.getConnection(config.url(), config.user(), config.password());
    }

    private static CopyManager copies(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }
}
