package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestDatabase;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SqlStatementTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final Db db = database.db();

    @AfterAll
    static void drop() {
        database.close();
    }

    @Test
    void valuesOfEveryTypeComeBackAsTheyWere() {
        var id = UUID.randomUUID();
        var time = Instant.parse("2026-11-16T01:02:03.456789Z");
        var types = db.read(reads -> reads.query("""
                        SELECT pg_typeof(:long)::text AS long, pg_typeof(:short)::text AS short,
                               pg_typeof(:double)::text AS double, pg_typeof(:decimal)::text AS decimal,
                               :text || '!' AS text, :flag AS flag, :id AS id, :time AS time, :day AS day, :bytes AS bytes
                        """)
                .bind("long", 1L)
                .bind("short", (short) 2)
                .bind("double", 0.5)
                .bind("decimal", new BigDecimal("1.10"))
                .bind("text", "a'b")
                .bind("flag", true)
                .bind("id", id)
                .bind("time", time)
                .bind("day", LocalDate.of(2026, 11, 16))
                .bind("bytes", new byte[] {1, 2})
                .map(row -> {
                    assertThat(row.getObject("id", UUID.class)).isEqualTo(id);
                    assertThat(row.getObject("time", OffsetDateTime.class).toInstant())
                            .isEqualTo(time);
                    assertThat(row.getBytes("bytes")).containsExactly(1, 2);
                    return List.of(
                            row.getString("long"),
                            row.getString("short"),
                            row.getString("double"),
                            row.getString("decimal"),
                            row.getString("text"),
                            row.getString("flag"),
                            row.getString("day"));
                })
                .one());
        assertThat(types)
                .containsExactly("bigint", "smallint", "double precision", "numeric", "a'b!", "t", "2026-11-16");
    }

    @Test
    void nothingHasATypeToo() {
        var found =
                db.read(reads -> reads.query("SELECT pg_typeof(:a)::text || ' ' || pg_typeof(:b)::text || :b IS NULL")
                        .bind("a", (Long) null)
                        .bind("b", (@Nullable String) null)
                        .mapTo(Boolean.class)
                        .one());
        assertThat(found).isTrue();
        var nobody = db.read(reads -> reads.query("SELECT :a")
                .bind("a", (Long) null)
                .mapTo(Long.class)
                .findOne());
        assertThat(nobody).isEmpty();
    }

    @Test
    void arraysAreBoundByTheTypeOfTheirElements() {
        var texts = db.read(reads -> reads.query("SELECT unnest(:texts) || unnest(:numbers)::text")
                .bindArray("texts", String.class, List.of("a,", "b\""))
                .bindArray("numbers", Long.class, 1L, 2L)
                .mapTo(String.class)
                .list());
        assertThat(texts).containsExactly("a,1", "b\"2");
        assertThatThrownBy(() -> db.read(reads -> reads.query("SELECT :a").bindArray("a", Object.class, "x")))
                .hasMessageContaining("no array");
    }

    @Test
    void rowsAreBoundColumnByColumn() {
        var rows = List.of(UUID.fromString("00000000-0000-7000-8000-00000000000a"), new UUID(0, 0));
        var found = db.read(reads -> reads.query("""
                        SELECT concat_ws(' ', id, text, number, flag)
                        FROM unnest(:ids, :texts, :numbers, :flags) AS t (id, text, number, flag)
                        """)
                .bindArray("ids", UUID.class, rows, id -> id)
                .bindArray("texts", String.class, rows, id -> "{\"a\\b\", NULL}")
                .bindArray("numbers", Integer.class, rows, id -> id.version() == 7 ? 7 : null)
                .bindArray("flags", Boolean.class, rows, id -> id.version() == 7)
                .mapTo(String.class)
                .list());
        assertThat(found)
                .containsExactly(
                        "00000000-0000-7000-8000-00000000000a {\"a\\b\", NULL} 7 t",
                        "00000000-0000-0000-0000-000000000000 {\"a\\b\", NULL} f");
    }

    @Test
    void aNameTooManyIsLeftOutAndOneTooFewIsRefusedAndSaid() {
        int found = db.read(reads -> reads.query("SELECT :a")
                .bind("b", 1)
                .bind("a", 2)
                .mapTo(Integer.class)
                .one());
        assertThat(found).isEqualTo(2);
        assertThatThrownBy(() -> db.read(reads -> reads.query("SELECT :a + :b")
                        .bind("a", 1)
                        .mapTo(Integer.class)
                        .one()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(":b");
        assertThatThrownBy(() -> db.read(reads -> reads.query("SELECT :a")
                        .bindObject("a", Thread.currentThread())
                        .mapTo(String.class)
                        .list()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneRowIsOneRow() {
        var none = "SELECT 1 WHERE false";
        var two = "SELECT generate_series(1, 2)";
        var nothing = db.read(reads -> reads.query(none).mapTo(Integer.class).findOne());
        assertThat(nothing).isEmpty();
        var first = db.read(reads -> reads.query(two).mapTo(Integer.class).findFirst());
        assertThat(first).contains(1);
        for (var sql : List.of(none, two)) {
            assertThatThrownBy(() -> db.read(
                            reads -> reads.query(sql).mapTo(Integer.class).one()))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() ->
                        db.read(reads -> reads.query(two).mapTo(Integer.class).findOne()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aBatchCarriesOutEachSetAndNoneIsNone() {
        var found = db.inTransaction(tx -> {
            tx.update("CREATE TEMP TABLE pairs (a INT, b TEXT) ON COMMIT DROP").execute();
            tx.batch("INSERT INTO pairs VALUES (:a, :b)").execute();
            var batch = tx.batch("INSERT INTO pairs VALUES (:a, :b)");
            for (int i = 0; i < 3; i++) {
                batch.bind("a", i).bind("b", "n" + i).add();
            }
            batch.execute();
            var all = new ArrayList<String>();
            tx.query("SELECT a || b FROM pairs ORDER BY a")
                    .setFetchSize(2)
                    .mapTo(String.class)
                    .forEach(all::add);
            return all;
        });
        assertThat(found).containsExactly("0n0", "1n1", "2n2");
    }

    @Test
    void whatIsBoundStandsInNoMessage() {
        assertThatThrownBy(() -> db.read(reads -> reads.query("SELECT 1 / (length(:secret) - 6)")
                        .bind("secret", "hidden")
                        .mapTo(Integer.class)
                        .one()))
                .isInstanceOf(DbException.class)
                .message()
                .doesNotContain("hidden");
    }
}
