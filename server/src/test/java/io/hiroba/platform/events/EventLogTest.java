package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.Ids;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLogTest {

    private final TestDatabase database = TestDatabase.create();
    private final Db db = database.db();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CommitSignal bell = new CommitSignal();
    private final Events events = new Events(db, EventNode.CONFIG, Clock.systemUTC(), meters, bell);
    private final List<Event> handled = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        events.close();
        database.close();
    }

    private void append(Tx tx, long recipient, String note) {
        events.log().append(tx, NewEvent.of(recipient, "test").with("note", note));
    }

    private List<String> notes() {
        return handled.stream()
                .map(event -> event.payload().get("note").asString())
                .toList();
    }

    @Test
    void anEventWhoseTransactionCommitsLateIsNotSkipped() throws InterruptedException {
        events.consume("late", (tx, batch) -> handled.addAll(batch));
        var drawn = new CountDownLatch(1);
        var commit = new CountDownLatch(1);
        var late = Thread.ofVirtual()
                .start(() -> db.useTransaction(tx -> {
                    append(tx, 1, "late");
                    drawn.countDown();
                    awaitQuietly(commit);
                }));
        drawn.await();
        db.useTransaction(tx -> append(tx, 1, "early"));
        // The later id is committed and the earlier one is not: nothing may be handled until that is decided.
        await().during(Duration.ofMillis(500)).atMost(Duration.ofSeconds(10)).until(handled::isEmpty);
        commit.countDown();
        late.join();
        await().untilAsserted(() -> assertThat(notes()).containsExactly("late", "early"));
    }

    @Test
    void aLongTransactionWithoutEventsHoldsNobodyUp() throws InterruptedException {
        events.consume("free", (tx, batch) -> handled.addAll(batch));
        var writing = new CountDownLatch(1);
        var commit = new CountDownLatch(1);
        var other = Thread.ofVirtual()
                .start(() -> db.useTransaction(tx -> {
                    tx.update("CREATE TABLE elsewhere (n INT)").execute();
                    writing.countDown();
                    awaitQuietly(commit);
                }));
        writing.await();
        db.useTransaction(tx -> append(tx, 1, "at once"));
        await().untilAsserted(() -> assertThat(notes()).containsExactly("at once"));
        commit.countDown();
        other.join();
    }

    @Test
    void anEventOfATransactionThatWasRolledBackNeverHappened() {
        events.consume("rollback", (tx, batch) -> handled.addAll(batch));
        try {
            db.useTransaction(tx -> {
                append(tx, 1, "undone");
                throw new IllegalStateException("changed my mind");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("changed my mind");
        }
        db.useTransaction(tx -> append(tx, 1, "done"));
        await().untilAsserted(() -> assertThat(notes()).containsExactly("done"));
    }

    @Test
    void theEventsOfOneRecipientAreHandledInOrder() {
        events.consume("order", (tx, batch) -> handled.addAll(batch));
        for (int i = 0; i < 50; i++) {
            var note = String.valueOf(i);
            db.useTransaction(tx -> append(tx, 7, note));
        }
        await().untilAsserted(() -> assertThat(handled).hasSize(50));
        assertThat(notes())
                .isEqualTo(IntStream.range(0, 50).mapToObj(String::valueOf).toList());
    }

    @Test
    void aBatchIsAsLargeAsIsHandledWhileOthersWaitForItsEvents() {
        db.useTransaction(tx -> IntStream.range(0, 3000).forEach(n -> append(tx, 7, "one")));
        var small = new CopyOnWriteArrayList<Integer>();
        var large = new CopyOnWriteArrayList<Integer>();
        try (var node = new Events(
                db, EventsConfig.DEFAULT, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal())) {
            node.consume("slow", (tx, batch) -> {
                LockSupport.parkNanos(Duration.ofMillis(10L * batch.size()).toNanos());
                small.add(batch.size());
            });
            node.consume("fast", (tx, batch) -> large.add(batch.size()));
            await().until(() -> large.stream().mapToInt(size -> size).sum() >= 3000 && small.size() >= 4);
        }
        assertThat(large).first().isEqualTo(20);
        assertThat(large).anyMatch(size -> size > 100);
        assertThat(small).allMatch(size -> size <= 50);
    }

    @Test
    void aFailingPartitionIsTriedAgainAndHoldsUpNoOther() {
        var failures = new AtomicInteger();
        var healed = new AtomicBoolean();
        events.consume("faulty", (tx, batch) -> {
            boolean bad = batch.stream()
                    .anyMatch(event -> event.payload().get("note").asString().equals("bad"));
            if (bad && !healed.get()) {
                failures.incrementAndGet();
                throw new IllegalStateException("cannot take it");
            }
            handled.addAll(batch);
        });
        db.useTransaction(tx -> {
            append(tx, 1, "bad");
            for (int recipient = 2; recipient < 20; recipient++) {
                append(tx, recipient, "good");
            }
        });
        await().untilAsserted(
                        () -> assertThat(notes()).filteredOn("good"::equals).hasSize(18));
        await().untilAsserted(() -> assertThat(failures).hasPositiveValue());
        assertThat(notes()).doesNotContain("bad");
        healed.set(true);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(notes()).contains("bad"));
        assertThat(handled).hasSize(19);
    }

    @Test
    void anEventThatTheDatabaseItselfAppendsIsHandledWithoutAPoll() {
        var patient = new EventsConfig(1, 20, Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofDays(90));
        try (var node = new Events(db, patient, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal())) {
            node.consume("triggered", (tx, batch) -> handled.addAll(batch));
            db.useTransaction(tx -> append(tx, 1, "before"));
            await().until(() -> handled.size() == 1);
            db.inStatement(statement -> statement.query("""
                            SELECT CAST(platform.append_events(ARRAY[5::smallint], ARRAY['{"note": "by a trigger"}'::jsonb]) AS text)
                            """).mapTo(String.class).list());
            await().untilAsserted(() -> assertThat(notes()).containsExactly("before", "by a trigger"));
        }
    }

    @Test
    void anEventBehindAnOpenTransactionIsHandledWhenThatEndsAndNotAtTheNextPoll() throws InterruptedException {
        var patient = new EventsConfig(1, 20, Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofDays(90));
        try (var node = new Events(db, patient, Clock.systemUTC(), new SimpleMeterRegistry(), bell)) {
            node.consume("rung", (tx, batch) -> handled.addAll(batch));
            db.useTransaction(tx -> append(tx, 1, "first"));
            await().until(() -> handled.size() == 1);
            var drawn = new CountDownLatch(1);
            var end = new CountDownLatch(1);
            var open = Thread.ofVirtual().start(() -> {
                try {
                    db.useTransaction(tx -> {
                        append(tx, 2, "undone");
                        drawn.countDown();
                        awaitQuietly(end);
                        throw new IllegalStateException("rolled back: this rings for nobody");
                    });
                } catch (IllegalStateException expected) {
                    assertThat(expected).hasMessageContaining("rings for nobody");
                }
            });
            drawn.await();
            db.useTransaction(tx -> append(tx, 1, "behind"));
            end.countDown();
            open.join();
            await().untilAsserted(() -> assertThat(notes()).containsExactly("first", "behind"));
        }
    }

    @Test
    void aPartitionThatAnotherNodeHasClearedHoldsUpNoOther() {
        var failing = new AtomicInteger(1);
        events.consume("shared", (tx, batch) -> {
            if (failing.getAndDecrement() > 0) {
                throw new AssertionError("not even an Error ends a worker");
            }
            handled.addAll(batch);
        });
        db.useTransaction(tx -> IntStream.range(0, 40).forEach(recipient -> append(tx, recipient, "before")));
        await().untilAsserted(() -> assertThat(handled).hasSize(40));
        db.useTransaction(tx -> IntStream.range(40, 80).forEach(recipient -> append(tx, recipient, "after")));
        await().untilAsserted(() -> assertThat(handled).hasSize(80));
    }

    @Test
    void anEventTellsItsMoment() {
        db.useTransaction(tx -> tx.query("SELECT setval('platform.event_ids', :old)::text")
                .bind("old", Ids.lowestAt(Instant.now().minusSeconds(3600)))
                .mapTo(String.class)
                .one());
        db.useTransaction(tx -> append(tx, 1, "now"));
        events.consume("moment", (tx, batch) -> handled.addAll(batch));
        await().until(() -> !handled.isEmpty());
        assertThat(handled.getFirst().at())
                .isBetween(Instant.now().minusSeconds(10), Instant.now().plusSeconds(1));
    }

    @Test
    void lagIsTheAgeOfTheOldestEventThatWaits() {
        var open = new CountDownLatch(1);
        insertAt(Instant.now().minusSeconds(120));
        events.consume("slow", (tx, batch) -> awaitQuietly(open));
        assertThat(meters.get("hiroba.events.lag")
                        .tag("consumer", "slow")
                        .gauge()
                        .value())
                .isBetween(119.0, 200.0);
        open.countDown();
        // An open transaction of another test holds it back, in whichever database of the server.
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(
                        () -> assertThat(meters.get("hiroba.events.lag").gauge().value())
                                .isZero());
    }

    @Test
    void eventsPastTheirTimeAreSweptOnceEveryConsumerIsDoneWithThem() {
        var open = new CountDownLatch(1);
        events.consume("reader", (tx, batch) -> awaitQuietly(open));
        insertAt(Instant.now().minus(Duration.ofDays(91)));
        insertAt(Instant.now().minus(Duration.ofDays(89)));
        assertThat(events.sweep()).as("not while a consumer still wants it").isZero();
        assertThat(kept()).isEqualTo(2);
        open.countDown();
        // The retention of the log itself may come first, so it is what is left that counts.
        await().untilAsserted(() -> {
            events.sweep();
            assertThat(kept()).isEqualTo(1);
        });
    }

    private long kept() {
        return db.read(reads -> reads.query("SELECT count(*) FROM platform.event_logs")
                .mapTo(Long.class)
                .one());
    }

    private void insertAt(Instant moment) {
        // As an append does: events after the clock are not visible yet, and that of a database may stand for minutes.
        db.useTransaction(tx -> tx.query("SELECT platform.advance_event_clock()::text")
                .mapTo(String.class)
                .list());
        db.useTransaction(tx -> tx.update("""
                INSERT INTO platform.event_logs (partition_id, event_id, payload) VALUES (0, :id, '{"type": "test"}')
                """).bind("id", Ids.lowestAt(moment)).execute());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The log keeps months: what is handled must not be read again, whatever plan the database takes. */
    @Test
    void aClaimLooksAtTheEndOfEachPartitionOnly() {
        events.consume("claimed", (tx, batch) -> handled.addAll(batch));
        db.useTransaction(tx -> events.log()
                .append(
                        tx,
                        LongStream.range(0, 3_000)
                                .mapToObj(n -> NewEvent.of(n, "test"))
                                .toList()));
        await().until(() -> handled.size() == 3_000);
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(
                    db,
                    generic,
                    reads ->
                            EventStore.claim(reads, Plan.LEAD, "claimed", List.of(1, 2, 3), 32, Duration.ofSeconds(4)));
            assertThat(plan.entriesPassedOf("event_logs")).as(plan.toString()).isLessThan(10);
            var poll = Plan.of(db, generic, reads -> EventStore.waiting(reads, Plan.LEAD, List.of("claimed")));
            assertThat(poll.entriesPassedOf("event_logs")).as(poll.toString()).isLessThan(10);
        }
        db.useTransaction(tx -> tx.update("ANALYZE platform.event_logs").execute());
        var first = handled.stream().mapToLong(Event::id).min().orElseThrow();
        var scan = Plan.of(
                db, false, reads -> EventStore.scan(reads, Plan.LEAD, first, Long.MAX_VALUE, List.of("test"), 50));
        assertThat(scan.entriesPassedOf("event_logs")).as(scan.toString()).isLessThan(60);
        assertThat(scan.largestSort()).as(scan.toString()).isZero();
    }

    @Test
    void aConsumerIsNotWokenForWhatDoesNotConcernIt() {
        var signalled = new CopyOnWriteArrayList<Set<String>>();
        bell.listen(EventLog.TOPIC, signalled::add);
        events.consume("unaffected", affectedBy("another", handled));
        db.useTransaction(tx -> append(tx, 1, "of no concern"));
        db.useTransaction(
                tx -> events.log().append(tx, NewEvent.of(1, "no, word").with("note", "unknown")));
        var partition = String.valueOf(Partitions.of(1));
        assertThat(signalled).as("what concerns nobody is not signalled").containsExactly(Set.of(partition));
        // With its next poll it gets the event nevertheless.
        await().untilAsserted(() -> assertThat(notes()).containsExactly("of no concern", "unknown"));
    }

    @Test
    void onlyWhoWasWokenIsLookedAfterBeforeTheNextPollOfAll() throws InterruptedException {
        var patient = new EventsConfig(1, 20, Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofDays(90));
        try (var node = new Events(db, patient, Clock.systemUTC(), new SimpleMeterRegistry(), bell)) {
            var passedOver = new CopyOnWriteArrayList<Event>();
            node.consume("unaffected", affectedBy("another", passedOver));
            node.consume("affected", affectedBy("test", handled));
            db.useTransaction(tx -> append(tx, 1, "first"));
            await().until(() -> handled.size() == 1);
            passedOver.clear();
            // Another node has the partition when the signal comes, and falls silent over it.
            db.useTransaction(claim -> {
                claim.query("""
                        SELECT partition_id FROM platform.event_log_cursors
                        WHERE consumer = 'affected' AND partition_id = :partition
                        FOR UPDATE
                        """)
                        .bind("partition", Partitions.of(1))
                        .mapTo(Integer.class)
                        .one();
                db.useTransaction(tx -> append(tx, 1, "left"));
                await().during(Duration.ofMillis(200)).until(() -> handled.size() == 1);
            });
            await().untilAsserted(() -> assertThat(notes()).containsExactly("first", "left"));
            // The first may be passed over late.
            assertThat(passedOver)
                    .extracting(event -> event.payload().get("note").asString())
                    .doesNotContain("left");
        }
    }

    private static EventHandler affectedBy(String affecting, List<Event> handled) {
        return new EventHandler() {
            @Override
            public void handle(Tx tx, List<Event> batch) {
                handled.addAll(batch);
            }

            @Override
            public boolean isAffectedBy(String type) {
                return type.equals(affecting);
            }
        };
    }
}
