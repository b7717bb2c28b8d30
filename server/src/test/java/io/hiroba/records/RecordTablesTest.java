package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.testkit.TestRecords;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables keep what they promise, whoever writes to them, and answer what the design document asks of them. */
class RecordTablesTest {

    private static final String ROW = "01a1dfe0-0715-7000-b112-b2228775434a";
    private static final int NAME = 0;
    private static final int PRICE = 6;
    private static final int STATUS = 10;

    private static TestRecords test;
    private static ProjectAccess shop;
    private static List<RowId> ids;

    @BeforeAll
    static void start() {
        test = new TestRecords();
        shop = test.project();
        test.schema(shop, "product", "name text", "price numeric", "status text", "sold date", "on bool", "more jsonb");
        ids = test.insert(
                shop,
                "product",
                "{'name': 'a', 'price': 99, 'status': 'active'}",
                "{'name': 'b', 'price': 100.5, 'status': 'active', 'sold': '2026-01-31', 'on': true, 'more': [1]}",
                "{'name': 'c', 'price': 300, 'status': 'old'}",
                "{'name': 'd', 'price': 1000}");
    }

    @AfterAll
    static void stop() {
        test.close();
    }

    @Test
    void thePricesAbove100AreFound() {
        assertThat(rows("""
                SELECT row_id FROM records."eav_@"
                WHERE schema_id = 100 AND attr_id = 6 AND value_numeric > 100
                """)).containsExactlyInAnyOrder(ids.get(1), ids.get(2), ids.get(3));
    }

    @Test
    void twoConditionsAreJoined() {
        assertThat(rows("""
                SELECT e1.row_id
                FROM records."eav_@" e1
                JOIN records."eav_@" e2 ON e1.row_id = e2.row_id AND e1.schema_id = e2.schema_id
                WHERE e1.schema_id = 100
                  AND e1.attr_id = 6 AND e1.value_numeric BETWEEN 100 AND 500
                  AND e2.attr_id = 10 AND e2.value_text = 'active'
                """)).containsExactly(ids.get(1));
    }

    @Test
    void allAttributesOfARecordAreReadWithTheirNamesAndTypes() {
        var found = test.db.read(reads -> reads.query("""
                        SELECT a.attr_name || ' ' || a.value_type || ' ' || coalesce(
                            e.value_text, e.value_numeric::text, to_char(e.value_date AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
                            e.value_bool::text, e.value_jsonb::text)
                        FROM records."eav_@" e
                        JOIN records."attributes_@" a ON e.attr_id = a.attr_id AND e.schema_id = a.schema_id
                        WHERE e.schema_id = 100 AND e.row_id = CAST('#' AS uuid)
                        ORDER BY a.attr_id
                        """.replace(
                        "@", shop.tables().suffix()).replace("#", ids.get(1).toString()))
                .mapTo(String.class)
                .list());
        assertThat(found)
                .containsExactly(
                        "name text b",
                        "price numeric 100.5",
                        "status text active",
                        "sold date 2026-01-31",
                        "on bool true",
                        "more jsonb [1]");
    }

    @Test
    void exactlyOneValueColumnIsFilledAndTheRightOne() {
        refused(SqlState.CHECK_VIOLATION, value(NAME, "value_text, value_numeric", "'a', 1"));
        refused(SqlState.CHECK_VIOLATION, value(NAME, "value_numeric", "1"));
        refused(SqlState.CHECK_VIOLATION, value(PRICE, "value_text", "'1'"));
        refused(SqlState.CHECK_VIOLATION, value(STATUS, "value_bool", "true"));
        refused(SqlState.CHECK_VIOLATION, value(PRICE, "value_numeric", "NULL"));
    }

    @Test
    void anAttributeIsNeverDeletedRetypedOrRenumbered() {
        refused("23000", "DELETE FROM records.\"attributes_@\" WHERE attr_id = 6");
        refused("23000", "UPDATE records.\"attributes_@\" SET value_type = 'text' WHERE attr_id = 6");
        refused("23000", "UPDATE records.\"attributes_@\" SET attr_id = 7 WHERE attr_id = 6");
        refused(SqlState.CHECK_VIOLATION, """
                INSERT INTO records."attributes_@" (attr_id, schema_id, attr_name, value_type) VALUES (41, 100, 'x', 'text')
                """);
        refused(SqlState.FOREIGN_KEY_VIOLATION, """
                INSERT INTO records."attributes_@" (attr_id, schema_id, attr_name, value_type) VALUES (40, 999, 'x', 'text')
                """);
        refused(SqlState.UNIQUE_VIOLATION, """
                INSERT INTO records."attributes_@" (attr_id, schema_id, attr_name, value_type) VALUES (40, 100, 'name', 'text')
                """);
    }

    @Test
    void aSchemaIdIsAtLeast100AndANameLeadsToOneSchema() {
        refused(SqlState.CHECK_VIOLATION, "INSERT INTO records.\"schemas_@\" (schema_id) VALUES (99)");
        refused(
                SqlState.UNIQUE_VIOLATION,
                "INSERT INTO records.\"schema_registry_@\" (schema_name, schema_id, alias) VALUES ('product', 100, true)");
        refused(
                SqlState.FOREIGN_KEY_VIOLATION,
                "INSERT INTO records.\"schema_registry_@\" (schema_name, schema_id) VALUES ('x', 999)");
        refused(SqlState.FOREIGN_KEY_VIOLATION, """
                INSERT INTO records."records_@" (row_id, created_by, updated_by, schema_id, doc)
                VALUES ('%s', 1, 1, 999, '[]')
                """.formatted(ROW));
    }

    @Test
    void aDocumentIsAnArrayAndItsValuesAreOfTheirAttributesTypes() {
        refused(SqlState.CHECK_VIOLATION, document("{}"));
        refused("22P02", document("[\"a\", \"one hundred\"]"));
        refused("22P02", document("[\"a\", 1, \"x\", \"yesterday\"]"));
    }

    /** As a dump and some migrations need it. */
    @Test
    void oneTransactionHasRoomToLockTheTablesOfAThousandProjects() {
        var room =
                test.db.read(reads -> reads.query("""
                        SELECT current_setting('max_locks_per_transaction')::int * current_setting('max_connections')::int
                               / (SELECT count(*) FROM pg_class
                                  WHERE relnamespace = 'records'::regnamespace AND relkind IN ('r', 'i') AND relname LIKE '%@%')
                        """.replace("@", shop.tables().suffix()))
                        .mapTo(Integer.class)
                        .one());
        assertThat(room).isGreaterThan(1000);
    }

    @Test
    void aSchemaKeepsItsIdForEver() {
        refused("23000", "DELETE FROM records.\"schemas_@\" WHERE schema_id = 100");
        refused("23000", "UPDATE records.\"schemas_@\" SET schema_id = 101 WHERE schema_id = 100");
    }

    @Test
    void eachValueIsThereOnceWhateverItBecomes() {
        test.schema(shop, "thing", "a text", "b numeric", "c datetime", "d bool", "e jsonb", "f text unique");
        var thing = test.insert(
                shop,
                "thing",
                "{'a': '%s', 'b': 1.50, 'c': '1931-01-31T10:00:00.000001Z', 'd': false, 'e': [1], 'f': 'x'}"
                        .formatted("é".repeat(600)),
                "{'a': '', 'b': -0.0, 'c': '2026-01-31T10:00:00Z', 'e': {}}",
                "{}");
        requireValuesOf("thing", 10);
        for (var values : List.of(
                "{'a': '%s', 'b': 1.5}".formatted("é".repeat(601)),
                "{'a': 'b', 'b': 1e3, 'c': null, 'd': true, 'e': [1, 2], 'f': 'y'}",
                "{'a': null, 'b': null, 'd': null, 'e': null, 'f': null}",
                "{'a': 'c', 'b': 2, 'c': '2026-02-01T00:00:00Z', 'd': true, 'e': 1, 'f': 'x'}")) {
            test.records.patch(shop, "thing", thing.getFirst(), json(values), null);
            requireValuesOf("thing", -1);
        }
        test.records.delete(shop, "thing", thing.getFirst(), null);
        requireValuesOf("thing", 4);
        assertThat(test.count(shop, "SELECT count(*) FROM records.\"unique_values_@\""))
                .isZero();
    }

    /** @param expected the number of values; negative for any */
    private static void requireValuesOf(String schema, int expected) {
        var ofSchema =
                "(SELECT schema_id FROM records.\"schema_registry_@\" WHERE schema_name = '%s')".formatted(schema);
        var stored = """
                SELECT row_id, attr_id, value_text, value_numeric, value_date, value_bool, value_jsonb
                FROM records."eav_@" WHERE schema_id = #
                """.replace("#", ofSchema);
        var written = """
                SELECT r.row_id, a.attr_id,
                    CASE WHEN a.attr_id % 5 = 0 THEN left(r.doc ->> (a.attr_id / 5), 500) END,
                    CASE WHEN a.attr_id % 5 = 1 THEN CAST(r.doc ->> (a.attr_id / 5) AS numeric) END,
                    CASE WHEN a.attr_id % 5 = 2 THEN records.moment(CAST(r.doc ->> (a.attr_id / 5) AS bigint)) END,
                    CASE WHEN a.attr_id % 5 = 3 THEN CAST(r.doc ->> (a.attr_id / 5) AS boolean) END,
                    CASE WHEN a.attr_id % 5 = 4 THEN r.doc -> (a.attr_id / 5) END
                FROM records."records_@" AS r JOIN records."attributes_@" AS a USING (schema_id)
                WHERE r.doc ->> (a.attr_id / 5) IS NOT NULL AND r.schema_id = #
                """.replace("#", ofSchema);
        for (var differences : List.of(stored + " EXCEPT ALL " + written, written + " EXCEPT ALL " + stored)) {
            assertThat(test.count(shop, "SELECT count(*) FROM (" + differences + ") AS d"))
                    .isZero();
        }
        if (expected >= 0) {
            assertThat(test.count(shop, "SELECT count(*) FROM (" + stored + ") AS s"))
                    .isEqualTo(expected);
        }
    }

    @Test
    void aTextThatIsTooLongForAnIndexIsKeptWhole() {
        var text = "é€😀".repeat(100_000);
        var id = test.one(shop, "product", json("{}").toString().replace("}", "\"name\":\"" + text + "\"}"));
        assertThat(test.get(shop, "product", id).values().path("name").stringValue())
                .isEqualTo(text);
        assertThat(test.count(
                        shop,
                        "SELECT length(value_text) FROM records.\"eav_@\" WHERE attr_id = 0 AND row_id = CAST('%s' AS uuid)"
                                .formatted(id)))
                .isEqualTo(500);
        test.records.delete(shop, "product", id, null);
    }

    private static String value(int attribute, String columns, String values) {
        return "INSERT INTO records.\"eav_@\" (schema_id, row_id, attr_id, %s) VALUES (100, '%s', %d, %s)"
                .formatted(columns, ROW, attribute, values);
    }

    private static String document(String json) {
        return "INSERT INTO records.\"records_@\" (row_id, created_by, updated_by, schema_id, doc) VALUES ('%s', 1, 1, 100, '%s')"
                .formatted(ROW, json);
    }

    private static void refused(String state, String sql) {
        assertThatThrownBy(() -> test.db.useTransaction(tx ->
                        tx.update(sql.replace("@", shop.tables().suffix())).execute()))
                .isInstanceOfSatisfying(
                        DbException.class, e -> assertThat(SqlState.of(e)).isEqualTo(state));
    }

    private static List<RowId> rows(String sql) {
        return test.db.read(reads -> reads.query(sql.replace("@", shop.tables().suffix()))
                .map(row -> new RowId(row.getObject(1, java.util.UUID.class)))
                .list());
    }
}
