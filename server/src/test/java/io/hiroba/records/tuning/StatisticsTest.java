package io.hiroba.records.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hiroba.platform.db.Db;
import io.hiroba.records.ProjectTables;
import io.hiroba.testkit.ManyRecords;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

@Tag("slow")
class StatisticsTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ManyRecords many = new ManyRecords();
    private static final ProjectTables large = many.project().tables();

    @AfterAll
    static void close() {
        many.close();
    }

    static {
        many.fill(large, 40_000);
    }

    private static JsonNode number(double value) {
        return JSON.numberNode(value);
    }

    private static double share(String condition) {
        return many.number(
                large,
                "SELECT count(*) FILTER (WHERE %s) / CAST(count(*) AS float8) FROM records.\"records_@\""
                        .formatted(condition));
    }

    @Test
    void whatIsAskedForIsKnownAfterAWhileAndNobodyWaitsForIt() {
        try (var statistics = new Statistics(many.db).start()) {
            var tables = many.project().tables();
            var schema = many.schema(tables);
            many.fill(tables, 500);
            assertThat(statistics.of(tables, schema).known()).isFalse();
            assertThat(statistics.of(tables, schema).rows()).isPositive();
            assertThat(statistics
                            .of(tables, schema)
                            .attribute(many.attribute(tables, "price"))
                            .between(number(1), null))
                    .isBetween(0.01, 0.99);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> statistics.of(tables, schema).rows() == 500);
        }
    }

    @Test
    void aSampleTellsTheSharesOfAll() {
        try (var statistics = new Statistics(many.db).start()) {
            var schema = many.schema(large);
            statistics.refresh(large, schema);
            var known = statistics.of(large, schema);
            assertThat(known.rows()).isEqualTo(40_000);

            var price = known.attribute(many.attribute(large, "price"));
            assertThat(price.present()).isCloseTo(0.75, within(0.01));
            assertThat(price.between(number(100), number(500)))
                    .isCloseTo(share("CAST(doc ->> 1 AS numeric) BETWEEN 100 AND 500"), within(0.02));
            assertThat(price.between(number(900), null))
                    .isCloseTo(share("CAST(doc ->> 1 AS numeric) >= 900"), within(0.02));
            assertThat(price.between(number(2000), null)).isZero();

            var status = known.attribute(many.attribute(large, "status"));
            assertThat(status.equal(JSON.stringNode("held"))).isCloseTo(0.2, within(0.02));
            assertThat(status.equal(JSON.stringNode("none"))).isLessThan(0.001);
            assertThat(status.startsWith("o")).isCloseTo(0.7, within(0.02));

            var title = known.attribute(many.attribute(large, "title"));
            assertThat(title.equal(JSON.stringNode("title 1f00 of 7"))).isLessThan(0.0005);
            assertThat(title.startsWith("title 1")).isCloseTo(share("doc ->> 0 LIKE 'title 1%'"), within(0.02));

            var sold = known.attribute(many.attribute(large, "soldAt"));
            assertThat(sold.between(null, JSON.numberNode(1_700_000_000_000_000L + 10_000 * 1_000_000L)))
                    .isCloseTo(0.25, within(0.02));
            assertThat(known.attribute(many.attribute(large, "active")).equal(JSON.booleanNode(true)))
                    .isCloseTo(1 / 3.0, within(0.02));
            assertThat(known.attribute(many.attribute(large, "note")).present()).isCloseTo(0.2, within(0.02));
        }
    }

    @Test
    void recordsAreLookedThroughAgainOnceATenthOfThemIsOther() {
        var tables = many.project().tables();
        var schema = many.schema(tables);
        var survey = new StatisticsSampler(many.db);
        many.fill(tables, 1000);
        awaitCounted(many.db, tables, 1000);
        survey.sample(tables, schema);

        many.fill(tables, 50);
        awaitCounted(many.db, tables, 1050);
        survey.renew(tables, schema);
        assertThat(survey.stored(tables, schema).rows()).isEqualTo(1000);

        many.fill(tables, 200);
        awaitCounted(many.db, tables, 1250);
        survey.renew(tables, schema);
        assertThat(survey.stored(tables, schema).rows()).isEqualTo(1250);
    }

    private static void awaitCounted(Db db, ProjectTables tables, long changes) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> db.read(reads -> new StatisticsStore().changes(reads, tables)) >= changes);
    }

    @Test
    void oneNodeAtATimeLooksThroughASchema() throws Exception {
        var tables = many.project().tables();
        var schema = many.schema(tables);
        many.fill(tables, 100);
        var samples = new StatisticsStore();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var locked = new CountDownLatch(1);
            var done = new CountDownLatch(1);
            var holding = threads.submit(() -> many.db.useTransaction(tx -> {
                assertThat(samples.lock(tx, tables, schema)).isTrue();
                locked.countDown();
                await(done);
            }));
            locked.await();
            new StatisticsSampler(many.db).renew(tables, schema);
            assertThat(new StatisticsSampler(many.db).stored(tables, schema).known())
                    .isFalse();
            done.countDown();
            holding.get();
        }
        new StatisticsSampler(many.db).renew(tables, schema);
        assertThat(new StatisticsSampler(many.db).stored(tables, schema).known())
                .isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSampleOfPagesCountsWhatItDidNotSee() {
        var schema = many.schema(large);
        many.db.useTransaction(tx -> {
            tx.update("ANALYZE " + large.records()).execute();
            var sample = new StatisticsStore().pages(tx, large, schema, 0.2);
            assertThat(sample.size()).isBetween(4000, 12_000);
            assertThat(sample.of(40_000)
                            .attribute(many.attribute(large, "price"))
                            .between(number(0), number(100)))
                    .isCloseTo(share("CAST(doc ->> 1 AS numeric) BETWEEN 0 AND 100"), within(0.05));
        });
    }

    @Test
    void ofAProjectThatIsGoneNothingIsKept() {
        try (var statistics = new Statistics(many.db).start()) {
            var access = many.project();
            many.fill(access.tables(), 100);
            var schema = many.schema(access.tables());
            statistics.refresh(access.tables(), schema);
            many.projects.delete(many.owner, access.project().id());
            assertThat(many.accounts.count("SELECT count(*) FROM records.statistics WHERE project_id = "
                            + access.project().id().value()))
                    .isZero();
        }
    }
}
