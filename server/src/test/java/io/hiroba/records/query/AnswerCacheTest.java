package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RowId;
import io.hiroba.records.query.RecordQuery.Count;
import io.hiroba.testkit.TestQueries;
import io.hiroba.testkit.TestRecords;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes keep answers, and give none that is not what the records say now. */
class AnswerCacheTest {

    private static final int STEPS = 80;
    private static final long SEED = Long.getLong("hiroba.seed", System.nanoTime());

    private static TestRecords records;
    private static TestQueries one;
    private static TestQueries other;

    private ProjectAccess owner;

    @BeforeAll
    static void start() {
        records = new TestRecords();
        one = new TestQueries(records);
        other = new TestQueries(records);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
        records.close();
    }

    @BeforeEach
    void fill() {
        owner = records.project();
        records.schema(owner, "person", "name text");
        records.schema(owner, "task", "kind text", "cost numeric", "author text references=\"person\"");
        records.insert(owner, "task", "{'kind': 'a', 'cost': 1}", "{'kind': 'a', 'cost': 2}", "{'kind': 'b'}");
    }

    /** What the node says of the tasks: how many a page has, a page of one with an exact count, the sums of their kinds. */
    private static String asked(TestQueries node, ProjectAccess access) {
        var where = ConditionParser.condition(TestRecords.json("{'attr': 'kind', 'op': 'exists'}"));
        var query = RecordQuery.all("task").where(where).limit(1).counting(Count.EXACT);
        var page = node.queries.page(access.caller(), access.project().id(), query);
        var json =
                new String(node.queries.json(access.caller(), access.project().id(), query), StandardCharsets.UTF_8);
        assertThat(json)
                .contains("\"value\":" + Objects.requireNonNull(page.count()).value());
        assertThat(node.queries
                        .page(
                                access.caller(),
                                access.project().id(),
                                RecordQuery.all("task").where(where).limit(100))
                        .rows())
                .hasSize((int) page.count().value());
        var sums = node.queries.aggregate(
                access.caller(),
                access.project().id(),
                new Aggregates.Query(
                        "task",
                        null,
                        List.of(new Aggregates.Group("kind", null)),
                        List.of(
                                new Aggregates.Measure(Aggregates.Function.COUNT, null),
                                new Aggregates.Measure(Aggregates.Function.SUM, "cost")),
                        10,
                        "UTC",
                        false));
        var text = new StringBuilder().append(page.count().value());
        sums.rows().forEach(row -> text.append(' ').append(row.keys()).append(row.figures()));
        return text.toString();
    }

    @Test
    void whoeverAsksForTheirOwnGetsNobodyElses() {
        records.schema(owner, "note", "text text", "maker text format=\"created_by\"");
        var editor = records.member(owner, ProjectRole.OWNER);
        records.insert(owner, "note", "{'text': 'a'}", "{'text': 'b'}");
        records.insert(editor, "note", "{'text': 'c'}");
        var mine = RecordQuery.all("note")
                .where(ConditionParser.condition(TestRecords.json("{'attr': 'maker', 'value': 'me'}")));
        for (int i = 0; i < 3; i++) {
            assertThat(one.queries
                            .page(owner.caller(), owner.project().id(), mine)
                            .rows())
                    .hasSize(2);
            assertThat(one.queries
                            .page(editor.caller(), owner.project().id(), mine)
                            .rows())
                    .hasSize(1);
        }
    }

    private String bothSay() {
        var said = asked(one, owner);
        // A page is kept from the second time on.
        assertThat(asked(one, owner)).isEqualTo(said);
        asked(other, owner);
        assertThat(asked(other, owner)).as("seed %d", SEED).isEqualTo(said);
        return said;
    }

    private String sql(String sql) {
        return sql.replace("@", owner.tables().suffix());
    }

    private void byHand(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql(sql));
        }
    }

    private Connection begin() throws SQLException {
        var connection = records.db.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static final String INSERT = """
            INSERT INTO records."records_@" (row_id, created_by, updated_by, schema_id, doc)
            VALUES (gen_random_uuid(), 1, 1, 101, '["hand", 5]')
            """;

    @Test
    void answersAreKeptUntilARecordIsWritten() throws SQLException {
        assertThat(bothSay()).isEqualTo("3 [\"a\"][2, 3] [\"b\"][1, null]");
        try (var connection = begin()) {
            // Nothing notes this, so only an answer that was kept can still say the same.
            byHand(connection, "ALTER TABLE records.\"records_@\" DISABLE TRIGGER insert_noted");
            byHand(connection, INSERT);
            byHand(connection, "ALTER TABLE records.\"records_@\" ENABLE TRIGGER insert_noted");
            connection.commit();
        }
        assertThat(bothSay()).isEqualTo("3 [\"a\"][2, 3] [\"b\"][1, null]");
        records.insert(owner, "person", "{'name': 'nobody'}");
        assertThat(bothSay()).isEqualTo("3 [\"a\"][2, 3] [\"b\"][1, null]");
        records.insert(owner, "task", "{'kind': 'a'}");
        assertThat(bothSay()).isEqualTo("5 [\"a\"][3, 3] [\"b\"][1, null] [\"hand\"][1, 5]");
    }

    @Test
    void aTransactionThatCommitsLateIsNotMissed() throws SQLException {
        try (var early = begin();
                var late = begin()) {
            byHand(early, INSERT);
            byHand(late, INSERT);
            var before = bothSay();
            late.commit();
            assertThat(bothSay()).isNotEqualTo(before).contains("[\"hand\"][1, 5]");
            early.commit();
            assertThat(bothSay()).contains("[\"hand\"][2, 10]");
            byHand(early, "UPDATE records.\"records_@\" SET doc = '[\"hand\", 7]' WHERE doc ->> 0 = 'hand'");
            assertThat(bothSay()).contains("[\"hand\"][2, 10]");
            early.rollback();
            assertThat(bothSay()).contains("[\"hand\"][2, 10]");
            byHand(late, "DELETE FROM records.\"records_@\" WHERE doc ->> 0 = 'hand'");
            late.commit();
            assertThat(bothSay()).isEqualTo(before);
        }
    }

    @Test
    void whateverIsWrittenBothNodesSayWhatIsThere() {
        var random = new Random(SEED);
        var ids = new ArrayList<RowId>();
        for (int step = 0; step < STEPS; step++) {
            var kind = "k" + random.nextInt(3);
            int action = ids.isEmpty() ? 0 : random.nextInt(4);
            switch (action) {
                case 0 -> ids.add(records.one(owner, "task", "{'kind': '%s', 'cost': 3}".formatted(kind)));
                case 1 -> {
                    var values = TestRecords.json("{'kind': '%s'}".formatted(kind));
                    records.records.patch(owner, "task", ids.get(random.nextInt(ids.size())), values, null);
                }
                case 2 -> records.records.delete(owner, "task", ids.remove(random.nextInt(ids.size())), null);
                default -> {}
            }
            var expected = records.db.read(
                    reads -> reads.query(sql("""
                            SELECT concat(sum(n), ' ', string_agg(format('["%s"][%s, %s]', kind, n, cost), ' ' ORDER BY kind))
                            FROM (
                                SELECT doc ->> 0 AS kind, count(*) AS n, coalesce(CAST(sum(CAST(doc ->> 1 AS numeric)) AS text), 'null') AS cost
                                FROM records."records_@" WHERE schema_id = 101 GROUP BY 1) AS g
                            """)).mapTo(String.class).one());
            assertThat(bothSay()).as("seed %d, step %d", SEED, step).isEqualTo(expected);
        }
    }

    @Test
    void whatIsReadThroughAReferenceIsPartOfAnAnswer() {
        var ada = records.one(owner, "person", "{'name': 'Ada'}");
        records.insert(owner, "task", "{'kind': 'c', 'author': '%s'}".formatted(ada));
        var query = RecordQuery.all("task")
                .where(ConditionParser.condition(TestRecords.json("{'attr': 'author.name', 'value': 'Ada'}")));
        assertThat(one.queries.page(owner.caller(), owner.project().id(), query).rows())
                .hasSize(1);
        assertThat(one.queries.page(owner.caller(), owner.project().id(), query).rows())
                .hasSize(1);
        records.records.patch(owner, "person", ada, TestRecords.json("{'name': 'Bea'}"), null);
        assertThat(one.queries.page(owner.caller(), owner.project().id(), query).rows())
                .isEmpty();
    }

    @Test
    void nobodyIsGivenAnAnswerThatWasMeantForAnother() {
        var viewer = records.member(owner, ProjectRole.VIEWER);
        assertThat(asked(one, viewer)).isEqualTo(asked(one, owner)).startsWith("3 ");
        records.schemas.setRules(owner, "task", new AccessRules(true, null, Set.of(), Set.of()));
        assertThat(asked(one, viewer)).isEqualTo("0");
        assertThat(asked(one, owner)).startsWith("3 ");
        var editor = records.member(owner, ProjectRole.EDITOR);
        records.insert(editor, "task", "{'kind': 'mine', 'cost': 1}");
        assertThat(asked(one, editor)).isEqualTo("1 [\"mine\"][1, 1]");
        assertThat(asked(one, records.member(owner, ProjectRole.EDITOR))).isEqualTo("0");
        assertThat(asked(one, owner)).startsWith("4 ");
    }

    @Test
    void changesAreSweptOnceNoAnswerNeedsThem() {
        var sweep = new ChangeSweep(records.db);
        sweep.sweep();
        assertThat(noted(0)).isPositive();
        // Transactions of others on the same server may hold it up.
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            sweep.sweep();
            return noted(0) == 0;
        });
        bothSay();
        records.insert(owner, "task", "{'kind': 'a'}");
        assertThat(bothSay()).startsWith("4 ");
        // Restored from another server, where transactions had come further.
        long ahead = Long.MAX_VALUE / 2;
        records.db.useTransaction(tx -> tx.update("INSERT INTO records.changes VALUES (1, 100, CAST(:xid AS xid8))")
                .bind("xid", String.valueOf(ahead))
                .execute());
        sweep.sweep();
        assertThat(noted(ahead)).isZero();
    }

    private static int noted(long from) {
        return records.db.read(
                reads -> reads.query("SELECT count(*) FROM records.changes WHERE xid >= CAST(:from AS xid8)")
                        .bind("from", String.valueOf(from))
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void moreAggregationsThanRunAtOnceWaitForEachOther() throws Exception {
        try (var connection = begin();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            byHand(connection, "LOCK TABLE records.\"records_@\" IN ACCESS EXCLUSIVE MODE");
            var asking = new ArrayList<Future<String>>();
            for (int i = 0; i < 8; i++) {
                asking.add(threads.submit(() -> {
                    var query = new Aggregates.Query(
                            "task",
                            null,
                            List.of(),
                            List.of(new Aggregates.Measure(Aggregates.Function.SUM, "cost")),
                            10,
                            "UTC",
                            false);
                    return one.queries
                            .aggregate(owner.caller(), owner.project().id(), query)
                            .rows()
                            .toString();
                }));
            }
            Awaitility.await().until(() -> waiting() >= 4);
            connection.rollback();
            for (var each : asking) {
                assertThat(each.get()).contains("3");
            }
        }
    }

    private static int waiting() {
        return records.db.read(reads -> reads.query("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """).mapTo(Integer.class).one());
    }
}
