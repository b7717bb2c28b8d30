package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.testkit.ChildJvm;
import io.hiroba.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@SuppressWarnings("try") // nodes do their work by being open
class EventNodesTest {

    private final TestDatabase database = TestDatabase.create();
    private final Db db = database.db();
    private final EventLog log = new EventLog();

    @BeforeEach
    void createEffects() {
        db.useTransaction(tx -> tx.update("""
                CREATE TABLE effects (
                    node TEXT, partition_id INT, event_id BIGINT, at TIMESTAMPTZ DEFAULT clock_timestamp(),
                    seq BIGINT GENERATED ALWAYS AS IDENTITY)
                """).execute());
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private ChildJvm node(String name, int effortMillis) {
        var config = database.superuser();
        return ChildJvm.start(
                EventNode.class, config.url(), config.user(), config.password(), name, String.valueOf(effortMillis));
    }

    private void append(int count) {
        db.useTransaction(tx -> log.append(
                tx,
                IntStream.range(0, count).mapToObj(n -> NewEvent.of(n, "test")).toList()));
    }

    private long effects() {
        return db.read(reads ->
                reads.query("SELECT count(*) FROM effects").mapTo(Long.class).one());
    }

    private void assertEachEventTookEffectOnce(long count) {
        var doubled = db.read(reads -> reads.query("SELECT event_id FROM effects GROUP BY event_id HAVING count(*) > 1")
                .mapTo(Long.class)
                .list());
        assertThat(doubled).isEmpty();
        assertThat(effects()).isEqualTo(count);
        var outOfOrder = db.read(reads -> reads.query("""
                        SELECT count(*) FROM (
                            SELECT event_id < lag(event_id) OVER (PARTITION BY partition_id ORDER BY seq) AS wrong
                            FROM effects) AS e
                        WHERE wrong
                        """).mapTo(Long.class).one());
        assertThat(outOfOrder).isZero();
    }

    @Test
    void twoNodesShareThePartitions() {
        append(2000);
        try (var other = Db.open(database.superuser());
                var first = EventNode.start(db, "first", Duration.ofMillis(1));
                var second = EventNode.start(other, "second", Duration.ofMillis(1))) {
            await().atMost(Duration.ofSeconds(60)).until(() -> effects() == 2000);
        }
        assertEachEventTookEffectOnce(2000);
        Set<String> nodes = Set.copyOf(db.read(reads -> reads.query("SELECT DISTINCT node FROM effects")
                .mapTo(String.class)
                .list()));
        assertThat(nodes).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void aNodeKilledInTheMiddleOfABatchLosesAndRepeatsNothing() {
        append(1500);
        for (int round = 0; round < 3; round++) {
            long before = effects();
            try (var node = node("victim " + round, 5)) {
                await().atMost(Duration.ofSeconds(30)).until(() -> effects() > before + 40);
                node.kill();
            }
        }
        append(500);
        try (var survivor = EventNode.start(db, "survivor", Duration.ZERO)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> effects() >= 2000);
        }
        assertEachEventTookEffectOnce(2000);
    }

    @Test
    void aSilentNodeHandsItsPartitionsOverWithinFiveSeconds() {
        append(1000);
        try (var frozen = node("frozen", 5)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> effects() > 20);
            frozen.freeze();
            var silentSince = now();
            try (var survivor = EventNode.start(db, "survivor", Duration.ZERO)) {
                await().atMost(Duration.ofSeconds(30)).until(() -> effects() >= 1000);
                List<Double> seconds = db.read(reads -> reads.query("""
                                SELECT extract(epoch FROM max(first) - CAST(:since AS timestamptz))
                                FROM (SELECT min(at) AS first FROM effects WHERE node = 'survivor' GROUP BY partition_id) AS p
                                """)
                        .bind("since", silentSince)
                        .mapTo(Double.class)
                        .list());
                assertThat(seconds.getFirst()).isLessThan(5.0);
                frozen.thaw();
                append(200);
                await().atMost(Duration.ofSeconds(30)).until(() -> effects() >= 1200);
            }
        }
        assertEachEventTookEffectOnce(1200);
    }

    private String now() {
        return db.read(reads -> reads.query("SELECT clock_timestamp()::text")
                .mapTo(String.class)
                .one());
    }
}
