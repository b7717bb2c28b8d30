package io.hiroba.records.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import io.hiroba.records.ProjectAccess;
import io.hiroba.testkit.ManyRecords;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class IndexBuilderTest {

    private static final ManyRecords many = new ManyRecords();
    private static final Statistics statistics = new Statistics(many.db).start();
    private static final Indexes indexes = new Indexes(many.db, many.accounts.clock, many.catalog);
    private static final HotIndexStore store = new HotIndexStore();

    @AfterAll
    static void close() {
        statistics.close();
        many.close();
    }

    private static IndexBuilder builder(Db db) {
        return new IndexBuilder(db, many.accounts.clock, many.catalog, statistics).start();
    }

    private static ProjectAccess filled(int records) {
        var access = many.project();
        many.fill(access.tables(), records);
        return access;
    }

    private static StoredIndex request(ProjectAccess access, String... attributes) {
        return many.db.inTransaction(tx -> indexes.create(tx, access, ManyRecords.SCHEMA, List.of(attributes)));
    }

    private static Optional<StoredIndex> find(StoredIndex index) {
        return many.db.read(reads -> store.find(reads, index.tables().project(), index.name()));
    }

    private static IndexState state(StoredIndex index) {
        return find(index).orElseThrow().state();
    }

    private static Optional<Boolean> valid(StoredIndex index) {
        return many.db.read(reads -> store.valid(reads, index.name()));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    private static void execute(String sql) {
        try (var connection = many.db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Test
    void anIndexIsMadeServesItsQueryAndItsEffectIsKnown() {
        var access = filled(20_000);
        var index = request(access, "status", "price");
        assertThat(index.state()).isEqualTo(IndexState.WANTED);
        try (var _ = builder(many.db)) {
            await().until(() -> find(index).orElseThrow().effect() != null);
        }
        assertThat(valid(index)).contains(true);
        assertThat(find(index).orElseThrow().bytes()).isPositive();
        assertThat(find(index).orElseThrow().effect()).isNotNull().satisfies(effect -> {
            assertThat(effect.baselineMillis()).isPositive();
            assertThat(effect.indexMillis()).isPositive();
        });

        var hot = new HotIndexes(many.db).of(access.tables(), many.schema(access.tables()));
        assertThat(hot).singleElement().satisfies(each -> {
            assertThat(each.name()).isEqualTo(index.name());
            assertThat(each.order().name()).isEqualTo("price");
            assertThat(each.equality()).isNotNull();
        });
        assertThat(plan(access, hot.getFirst())).contains(index.name()).doesNotContain("Sort");
    }

    private static String plan(ProjectAccess access, HotIndex hot) {
        execute("VACUUM ANALYZE " + access.tables().records());
        return many.db.read(reads -> String.join(
                "\n",
                reads.query("""
                EXPLAIN SELECT doc FROM %s WHERE schema_id = 100 AND %s = 'held' AND %s BETWEEN 100 AND 500
                ORDER BY %3$s, row_id LIMIT 20
                """.formatted(access.tables().records(), hot.equalitySql("doc"), hot.orderSql("doc")))
                        .mapTo(String.class)
                        .list()));
    }

    @Test
    void everyTypeThatHasAnOrderCanBeIndexed() {
        var access = filled(500);
        var wanted = List.of(
                request(access, "title"),
                request(access, "soldAt"),
                request(access, "price"),
                request(access, "active", "title"));
        try (var _ = builder(many.db)) {
            wanted.forEach(index -> await().until(() -> state(index) == IndexState.READY));
        }
    }

    @Test
    void twoLongTextsStillFitIntoAnIndex() {
        var access = filled(100);
        var index = request(access, "status", "title");
        try (var _ = builder(many.db)) {
            await().until(() -> state(index) == IndexState.READY);
        }
        many.db.useTransaction(tx -> assertThat(
                        tx.update("""
                UPDATE %s SET version = 2, doc = jsonb_build_array(
                    (SELECT string_agg(chr(128512 + CAST(random() * 1000 AS int)), '') FROM generate_series(1, 3000)),
                    NULL, NULL, NULL,
                    (SELECT string_agg(chr(128512 + CAST(random() * 1000 AS int)), '') FROM generate_series(1, 3000)))
                """.formatted(access.tables().records())).execute())
                .isEqualTo(100));
    }

    @Test
    void anInvalidIndexThatACrashLeftIsDroppedAndMadeAgain() {
        var access = filled(500);
        var index = request(access, "price");
        // As it is after a crash: begun, and half there.
        many.db.useTransaction(tx -> store.building(tx, index));
        execute("CREATE INDEX \"%s\" ON %s (version)"
                .formatted(index.name(), access.tables().records()));
        execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'records.\"%s\"'::regclass"
                .formatted(index.name()));
        try (var _ = builder(many.db)) {
            await().until(() -> state(index) == IndexState.READY);
        }
        assertThat(valid(index)).contains(true);
        assertThat(many.number(
                        access.tables(),
                        "SELECT count(*) FROM pg_indexes WHERE indexname = '%s' AND indexdef LIKE '%%numeric%%'"
                                .formatted(index.name())))
                .isEqualTo(1);
    }

    @Test
    void aNodeThatStopsGivesUpAndTheNextOneMakesTheIndex() {
        var access = filled(500);
        var index = request(access, "soldAt");
        try (var blocking = Db.open(many.accounts.database.config())) {
            blocking.useTransaction(tx -> {
                // An index waits for whoever has written before it.
                tx.update("UPDATE %s SET version = version + 1"
                                .formatted(access.tables().records()))
                        .execute();
                try (var _ = builder(many.db)) {
                    await().until(() -> valid(index).isPresent() || many.accounts.count("""
                            SELECT count(*) FROM pg_stat_activity
                            WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'
                            """) > 0);
                }
                assertThat(valid(index)).isNotEqualTo(Optional.of(true));
                assertThat(state(index)).isEqualTo(IndexState.BUILDING);
            });
        }
        try (var _ = builder(many.db)) {
            await().until(() -> state(index) == IndexState.READY);
        }
        assertThat(valid(index)).contains(true);
    }

    @Test
    void anIndexThatIsBrokenOffAgainAndAgainFailsAndSaysWhy() throws SQLException {
        var access = filled(500);
        var index = request(access, "soldAt");
        try (var other = Db.open(many.accounts.database.config());
                var looking = other.dataSource().getConnection();
                var _ = builder(many.db)) {
            // Whoever sees the past has the making wait, so that it can be broken off.
            looking.setAutoCommit(false);
            looking.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (var statement = looking.createStatement()) {
                statement.execute("SET idle_in_transaction_session_timeout = 0");
                statement.execute("SELECT 1");
            }
            await().until(() -> {
                execute("""
                        SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index
                        WHERE datname = current_database() AND phase = 'waiting for old snapshots'
                        """);
                return state(index) == IndexState.FAILED;
            });
            looking.rollback();
        }
        assertThat(find(index).orElseThrow().failure()).asString().contains("cancel");
        assertThat(valid(index)).isEmpty();
        request(access, "soldAt");
        try (var _ = builder(many.db)) {
            await().until(() -> state(index) == IndexState.READY);
        }
    }

    @Test
    void twoNodesMakeOneIndexOnce() throws SQLException {
        var access = filled(500);
        var index = request(access, "title");
        try (var other = Db.open(many.accounts.database.config())) {
            try (var held = IndexBuildStore.open(other).orElseThrow()) {
                try (var builder = builder(many.db)) {
                    builder.work();
                    assertThat(state(index)).isEqualTo(IndexState.WANTED);
                    assertThat(held.isCancelled()).isFalse();
                }
            }
            try (var _ = builder(many.db);
                    var _ = builder(other)) {
                await().until(() -> state(index) == IndexState.READY);
            }
        }
        assertThat(valid(index)).contains(true);
    }

    @Test
    void theConnectionGoesBackAsItWas() throws SQLException {
        try (var db = Db.open(many.accounts.database.config().withPoolSize(2))) {
            IndexBuildStore.open(db).orElseThrow().close();
            for (int i = 0; i < 4; i++) {
                var timeout = db.read(reads -> reads.query("SELECT current_setting('statement_timeout')")
                        .mapTo(String.class)
                        .one());
                assertThat(timeout).isEqualTo("30s");
            }
            IndexBuildStore.open(many.db).orElseThrow().close();
        }
    }

    @Test
    void anIndexIsDroppedOnceNoNodeCountsOnItAnyMore() {
        var access = filled(500);
        var index = request(access, "price");
        try (var builder = builder(many.db)) {
            await().until(() -> state(index) == IndexState.READY);
            indexes.drop(access, index.name());
            assertThat(new HotIndexes(many.db).of(access.tables(), many.schema(access.tables())))
                    .isEmpty();
            builder.work();
            assertThat(valid(index)).as("it is still there").contains(true);
            many.accounts.clock.advance(Duration.ofMinutes(1));
            await().until(() -> find(index).isEmpty());
            assertThat(valid(index)).isEmpty();
        }
    }

    @Test
    void anIndexThatIsWantedAgainWhileItGoesIsThereInTheEnd() {
        var access = filled(500);
        var index = request(access, "price");
        try (var _ = builder(many.db)) {
            await().until(() -> state(index) == IndexState.READY);
            indexes.drop(access, index.name());
            request(access, "price");
            await().until(() -> state(index) == IndexState.READY);
            assertThat(valid(index)).contains(true);
        }
    }
}
