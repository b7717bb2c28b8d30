package io.hiroba.records.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Access by SQL, as a tool that connects to the database has it. */
class SqlAccessTest {

    private static final String PRODUCT = """
            {'name': 'product', 'attributes': [{'name': 'name', 'type': 'text'}, {'name': 'price', 'type': 'numeric'},
                {'name': 'sold', 'type': 'bool'}, {'name': 'day', 'type': 'date'}, {'name': 'seen', 'type': 'datetime'},
                {'name': 'more', 'type': 'jsonb'}, {'name': 'cost', 'type': 'numeric'},
                {'name': 'like', 'type': 'text', 'references': 'product'}]}
            """;

    private static Square square;
    private static ApiClient owner;
    private static String project;
    private static JsonNode opened;

    @BeforeAll
    static void start() {
        square = new Square();
        // As it is outside of tests, whose databases are copies that a superuser makes.
        square.server.database().db().useTransaction(tx -> tx.update("""
                        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO hiroba_owner', current_database()); END $$
                        """).execute());
        owner = square.person("Owner").api();
        project = shop();
        opened = open(project, "viewer");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static String shop() {
        var id = owner.post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        var path = "/api/v1/projects/" + id;
        owner.post(path + "/schemas", PRODUCT);
        owner.put(path + "/schemas/product/rules", "{'hidden': ['cost']}");
        owner.post(path + "/records/product", """
                [{'name': 'pen', 'price': 100.50, 'sold': true, 'day': '1899-12-31', 'seen': '9999-01-02T03:04:05.123456Z',
                  'more': {'a': [1]}, 'cost': 3, 'like': '#1'}, {'name': 'ink'}]
                """);
        return path;
    }

    private static JsonNode open(String path, String readsAs) {
        var reply = owner.post(path + "/sql-access", "{'readsAs': '%s'}".formatted(readsAs));
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply.json();
    }

    private static Connection connect(JsonNode access) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://%s:%s/%s"
                        .formatted(
                                access.path("host").asString(),
                                access.path("port").asString(),
                                access.path("database").asString()),
                access.path("user").asString(),
                access.path("password").asString());
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        var rows = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            while (found.next()) {
                var cells = new ArrayList<String>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    cells.add(String.valueOf(found.getString(i)));
                }
                rows.add(String.join(" ", cells));
            }
        }
        return rows;
    }

    private static List<String> columns(Connection connection, String view) throws SQLException {
        var columns = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("SELECT * FROM \"" + view + "\" LIMIT 0")) {
            for (int i = 7; i <= found.getMetaData().getColumnCount(); i++) {
                columns.add(found.getMetaData().getColumnName(i) + " "
                        + found.getMetaData().getColumnTypeName(i));
            }
        }
        return columns;
    }

    @Test
    void aViewHasTheAttributesThatAreNotHiddenInTheirTypes() throws SQLException {
        try (var reader = connect(opened)) {
            assertThat(columns(reader, "product"))
                    .containsExactly(
                            "name text",
                            "price numeric",
                            "sold bool",
                            "day date",
                            "seen timestamptz",
                            "more jsonb",
                            "like uuid");
            assertThat(rows(reader, """
                    SELECT p.name, p.price, p.sold, p.day, p.seen AT TIME ZONE 'UTC', p.more, l.name, p._version
                    FROM product AS p LEFT JOIN product AS l ON l._id = p."like" ORDER BY p._id
                    """))
                    .containsExactly(
                            "pen 100.50 t 1899-12-31 9999-01-02 03:04:05.123456 {\"a\": [1]} ink 1",
                            "ink null null null null null null 1");
            assertThat(rows(
                            reader,
                            "SELECT bool_and(_created_at BETWEEN now() - interval '1 hour' AND now()) FROM product"))
                    .containsExactly("t");
        }
        var told = owner.get(project + "/sql-access").json();
        assertThat(told.path("password").isNull()).isTrue();
        assertThat(told.path("views").path(0).path("view").asString()).isEqualTo("product");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM records.projects",
                "SELECT * FROM accounts.users",
                "SELECT rolpassword FROM pg_authid",
                "SELECT records.drop_tables('aaaaaaaaaaaaa_0000000000000000')",
                "SELECT pg_read_file('PG_VERSION')",
                "SELECT pg_ls_dir('.')",
                "COPY (SELECT 1) TO PROGRAM 'true'",
                "COPY product TO '/tmp/out'",
                "INSERT INTO product (_version) VALUES (2)",
                "DELETE FROM product",
                "CREATE TABLE x (y int)",
                "CREATE TEMP TABLE x (y int)",
                "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "SET ROLE hiroba_owner",
                "SELECT pg_advisory_lock(1)",
                "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'hiroba_app'",
            })
    void aReaderReachesNothingElse(String sql) throws SQLException {
        try (var reader = connect(opened);
                var statement = reader.createStatement()) {
            // A setting of the session, so no protection.
            statement.execute("SET default_transaction_read_only = off");
            assertThatThrownBy(() -> statement.execute(sql)).hasMessageContaining("denied");
        }
    }

    @Test
    void aReaderReachesNoOtherProject() throws SQLException {
        var other = open(shop(), "owner");
        try (var reader = connect(opened);
                var others = connect(other)) {
            var space = rows(others, "SELECT current_schema()").getFirst();
            assertThatThrownBy(() -> rows(reader, "SELECT * FROM " + space + ".product"))
                    .hasMessageContaining("denied");
            assertThat(columns(others, "product")).contains("cost numeric");
            // An error must not tell of records that are behind the view.
            assertThat(rows(reader, "SELECT name FROM product WHERE price / price = 1"))
                    .containsExactly("pen");
        }
    }

    @Test
    void aReaderIsStoppedAfterAWhileWhateverItSet() throws SQLException {
        try (var reader = connect(opened);
                var statement = reader.createStatement()) {
            assertThat(rows(reader, "SHOW statement_timeout")).containsExactly("30s");
            statement.execute("SET statement_timeout = 0");
            var sleep = Thread.ofVirtual()
                    .start(() -> assertThatThrownBy(() -> rows(reader, "SELECT pg_sleep(600)"))
                            .isInstanceOf(SQLException.class));
            var db = square.server.database().db();
            Awaitility.await().until(() -> db.inTransaction(tx -> new SqlAccessStore().endLong(tx, Duration.ZERO)) > 0);
            Awaitility.await().until(() -> !sleep.isAlive());
            assertThatThrownBy(() -> rows(reader, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    /** Where nobody could revoke the functions: in a PostgreSQL of one's own. */
    @Test
    void aReaderThatHoldsALockOfTheServerIsEnded() throws SQLException {
        var db = square.server.database().db();
        db.useTransaction(tx -> tx.update("GRANT EXECUTE ON FUNCTION pg_advisory_lock(int, int) TO %s"
                        .formatted(opened.path("user").asString()))
                .execute());
        try (var idle = connect(opened);
                var reader = connect(opened)) {
            rows(reader, "SELECT 1");
            rows(idle, "SELECT CAST(pg_advisory_lock(hashtext('records.projects'), 7) AS text)");
            int ended = db.inTransaction(tx -> new SqlAccessStore().endLong(tx, SqlAccess.MAX_TRANSACTION));
            assertThat(ended).isOne();
            assertThatThrownBy(() -> rows(idle, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThat(rows(reader, "SELECT 1")).containsExactly("1");
        } finally {
            db.useTransaction(tx -> tx.update("REVOKE EXECUTE ON FUNCTION pg_advisory_lock(int, int) FROM %s"
                            .formatted(opened.path("user").asString()))
                    .execute());
        }
    }

    @Test
    void viewsFollowChangesOfSchemasAtOnceWhoeverReads() throws SQLException {
        var path = shop();
        var access = open(path, "viewer");
        try (var slow = connect(access);
                var reader = connect(access)) {
            slow.setAutoCommit(false);
            rows(slow, "SELECT * FROM product");
            owner.send("PATCH", path + "/schemas/product/attributes/name", "{'name': '名前'}");
            assertThatThrownBy(() -> rows(slow, "SELECT 1")).isInstanceOf(SQLException.class);
            assertThat(columns(reader, "product")).contains("名前 text").doesNotContain("name text");
            owner.delete(path + "/schemas/product/attributes/sold");
            assertThat(columns(reader, "product")).doesNotContain("sold bool");
            owner.put(path + "/schemas/product/rules", "{'hidden': ['price']}");
            assertThat(columns(reader, "product")).contains("cost numeric").doesNotContain("price numeric");
            owner.post(path + "/schemas", "{'name': 'note', 'attributes': [{'name': 'text', 'type': 'text'}]}");
            owner.send("PATCH", path + "/schemas/product", "{'name': 'Ware \"x\"'}");
            owner.send("PATCH", path + "/schemas/product", "{'name': '商品'}");
            assertThat(rows(reader, "SELECT 名前 FROM 商品 ORDER BY _id")).containsExactly("pen", "ink");
            assertThat(rows(reader, "SELECT * FROM note")).isEmpty();
            var set = URLEncoder.encode("商品", StandardCharsets.UTF_8);
            owner.send("PATCH", path + "/schemas/" + set + "/attributes/cost", "{'type': 'text'}");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(columns(reader, "商品")).contains("cost text"));
            owner.put(path + "/schemas/note/rules", "{'ownRowsOnly': true}");
            assertThatThrownBy(() -> rows(reader, "SELECT * FROM note")).hasMessageContaining("does not exist");
        }
        assertThat(owner.get(path + "/sql-access")
                        .json()
                        .path("omitted")
                        .path(0)
                        .asString())
                .isEqualTo("note");
    }

    @Test
    void listsComputedAndGeneratedValuesAreColumnsAndWhatComesOfHiddenOnesIsNot() throws SQLException {
        var path = shop();
        owner.post(path + "/schemas", """
                {'name': 'job', 'attributes': [
                    {'name': 'tags', 'type': 'multi_select', 'enum': ['a', 'b']},
                    {'name': 'uses', 'type': 'text', 'references': 'product', 'many': true},
                    {'name': 'team', 'type': 'text', 'format': 'person', 'many': true},
                    {'name': 'no', 'type': 'numeric', 'format': 'autonumber'},
                    {'name': 'maker', 'type': 'text', 'format': 'created_by'},
                    {'name': 'pay', 'type': 'numeric', 'format': 'currency', 'currency': 'EUR'},
                    {'name': 'double', 'computed': {'formula': 'no * 2'}},
                    {'name': 'taxed', 'computed': {'formula': 'pay * 1.5'}}]}
                """);
        var pen = owner.get(path + "/records/product?name=pen")
                .json()
                .path("items")
                .path(0)
                .path("id")
                .asString();
        owner.post(path + "/records/job", "{'tags': ['b', 'a'], 'uses': ['%s'], 'pay': 4}".formatted(pen));
        var access = open(path, "viewer");
        try (var reader = connect(access)) {
            assertThat(columns(reader, "job"))
                    .containsExactly(
                            "tags jsonb",
                            "uses jsonb",
                            "team jsonb",
                            "no numeric",
                            "maker text",
                            "pay numeric",
                            "double numeric",
                            "taxed numeric");
            assertThat(rows(reader, "SELECT tags, no, pay, double, taxed, team FROM job"))
                    .containsExactly("[\"b\", \"a\"] 1 4 2 6 null");
            assertThat(rows(reader, "SELECT p.name FROM job AS j JOIN product AS p ON j.uses ? CAST(p._id AS text)"))
                    .containsExactly("pen");
            owner.put(path + "/schemas/job/rules", "{'hidden': ['pay']}");
            assertThat(columns(reader, "job"))
                    .doesNotContain("pay numeric", "taxed numeric")
                    .contains("double numeric");
        }
    }

    @Test
    void longNamesAreCutToWhatTheDatabaseAllowsAndStayApart() throws SQLException {
        var id = owner.post("/api/v1/projects", "{'name': 'Long'}").text("id");
        var path = "/api/v1/projects/" + id;
        var name = "長".repeat(30);
        owner.post(path + "/schemas", """
                {'name': '%1$s', 'attributes': [{'name': '%1$sa', 'type': 'text'}, {'name': '%1$sb', 'type': 'text'}, {'name': '%2$s', 'type': 'text'}]}
                """.formatted(name, "長".repeat(21)));
        owner.post(path + "/schemas", "{'name': '%sx', 'attributes': []}".formatted(name));
        var access = open(path, "viewer");
        assertThat(access.path("views").size()).isEqualTo(2);
        try (var reader = connect(access)) {
            var columns =
                    columns(reader, access.path("views").path(0).path("view").asString());
            assertThat(columns).hasSize(3).doesNotHaveDuplicates().contains("長".repeat(21) + " text");
            assertThat(rows(
                            reader,
                            "SELECT * FROM \"%s\""
                                    .formatted(access.path("views")
                                            .path(1)
                                            .path("view")
                                            .asString())))
                    .isEmpty();
        }
    }

    @Test
    void recordsThatConditionsHideAndValuesThatComeFromHiddenOnesAreNotThere() throws SQLException {
        var path = shop();
        try (var connection = connect(open(path, "viewer"))) {
            assertThat(rows(connection, "SELECT name FROM product ORDER BY name"))
                    .containsExactly("ink", "pen");
            owner.put(path + "/schemas/product/rules", "{'where': [{'attr': 'sold', 'value': true}]}");
        }
        var access = open(path, "viewer");
        try (var connection = connect(access)) {
            assertThatThrownBy(() -> rows(connection, "SELECT name FROM product"))
                    .isInstanceOf(SQLException.class);
        }
        owner.put(
                path + "/schemas/product/rules",
                "{'hidden': [], 'editors': {'where': [{'attr': 'sold', 'value': true}]}}");
        try (var connection = connect(access)) {
            assertThat(rows(connection, "SELECT name FROM product ORDER BY name"))
                    .containsExactly("ink", "pen");
        }
        assertThat(owner.post(path + "/schemas", """
                {'name': 'pay', 'attributes': [{'name': 'wage', 'type': 'numeric'},
                    {'name': 'twice', 'computed': {'formula': 'wage * 2'}}]}
                """).status()).isEqualTo(201);
        owner.put(path + "/schemas/pay/rules", "{'hidden': ['wage']}");
        try (var connection = connect(access)) {
            assertThatThrownBy(() -> rows(connection, "SELECT twice FROM pay")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void anotherPasswordEndsTheFormerOneAndRevokingEndsAll() throws SQLException {
        var path = shop();
        var first = open(path, "viewer");
        var second = open(path, "owner");
        assertThatThrownBy(() -> connect(first)).hasMessageContaining("password");
        try (var reader = connect(second)) {
            assertThat(columns(reader, "product")).contains("cost numeric");
        }
        assertThat(owner.delete(path + "/sql-access").status()).isEqualTo(204);
        assertThatThrownBy(() -> connect(second)).isInstanceOf(SQLException.class);
        assertThat(owner.get(path + "/sql-access").outcome()).isEqualTo("404 records.no-sql-access");
        open(path, "viewer");
        assertThat(owner.delete(path).status()).isEqualTo(204);
        assertThat(square.audited("action=sql-access-opened")).isNotEmpty();
    }

    @Test
    void onlyOwnersGiveIt() {
        var lee = square.person("Lee");
        owner.put(project + "/members/" + lee.id(), "{'role': 'editor'}");
        assertThat(lee.api().post(project + "/sql-access", "{}").outcome()).isEqualTo("403 records.owners-only");
        assertThat(lee.api().get(project + "/sql-access").outcome()).isEqualTo("403 records.owners-only");
        assertThat(owner.post(project + "/sql-access", "{'readsAs': 'editor'}").outcome())
                .isEqualTo("400 records.invalid");
    }
}
