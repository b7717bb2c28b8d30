package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.Services.ServiceLimits;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The limits of services, kept by two nodes on one database. */
class CallLimitsTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final Db db = database.db();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final TreeMap<String, Integer> ONE_CALL = new TreeMap<>(Map.of("shop", 1));

    private final CallLimits first = new CallLimits(db);
    private final CallLimits second = new CallLimits(db);

    @AfterEach
    void clear() {
        for (var table : List.of("service_limits", "call_permits", "call_waits", "saga_states")) {
            sql("DELETE FROM saga." + table);
        }
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static void sql(String statement) {
        db.useTransaction(tx -> tx.update(statement).execute());
    }

    private static int number(String query) {
        return db.read(reads -> reads.query(query).mapTo(Integer.class).one());
    }

    private static void limit(Integer concurrent, String rate) {
        var limits = new ServiceLimits(concurrent, rate == null ? null : new BigDecimal(rate));
        db.useTransaction(tx -> new CallLimitStore().save(tx, "shop", limits, "test"));
    }

    private static SagaId saga() {
        return new SagaId(UUID.randomUUID());
    }

    private static boolean mayCall(CallLimits node, SagaId saga) {
        return node.acquire(saga, ONE_CALL, TIMEOUT).retryIn() == null;
    }

    @Test
    void permitsAreGivenInTheOrderOfAskingWhicheverNodeAsks() {
        limit(1, null);
        var running = first.acquire(saga(), ONE_CALL, TIMEOUT);
        assertThat(running.retryIn()).isNull();
        var early = saga();
        var late = saga();
        assertThat(mayCall(second, early)).isFalse();
        assertThat(mayCall(first, late)).isFalse();
        running.release().getAsBoolean();
        assertThat(mayCall(first, saga())).as("who comes now").isFalse();
        assertThat(mayCall(first, late)).as("the second in the line").isFalse();
        assertThat(mayCall(second, early)).as("the first").isTrue();
        assertThat(number("SELECT count(*) FROM saga.call_permits")).isEqualTo(1);
    }

    @Test
    void thePermitsOfADeadNodeEndWithTheirCallsAndWhoHasGoneIsNotWaitedFor() {
        limit(1, null);
        var lost = saga();
        assertThat(mayCall(first, lost)).isTrue();
        assertThat(mayCall(second, lost))
                .as("the same saga, taken over from a dead node")
                .isTrue();
        var gone = saga();
        assertThat(mayCall(second, gone)).isFalse();
        sql("UPDATE saga.call_permits SET until = now() - interval '1 second'");
        sql("UPDATE saga.call_waits SET seen_at = now() - interval '1 hour'");
        assertThat(mayCall(second, saga())).isTrue();
        assertThat(number("SELECT count(*) FROM saga.call_waits")).isZero();
    }

    @Test
    void aNodeThatComesBackDoesNotGiveBackThePermitOfTheOneThatTookOver() {
        limit(1, null);
        var frozen = saga();
        var lost = first.acquire(frozen, ONE_CALL, TIMEOUT);
        var current = second.acquire(frozen, ONE_CALL, TIMEOUT);
        lost.release().getAsBoolean();
        assertThat(mayCall(first, saga())).as("while the second node calls").isFalse();
        sql("DELETE FROM saga.call_waits");
        current.release().getAsBoolean();
        assertThat(mayCall(first, saga())).isTrue();
    }

    @Test
    void aSagaThatEndedWhileItWaitedHoldsNobodyUp() {
        limit(1, null);
        var running = first.acquire(saga(), ONE_CALL, TIMEOUT);
        var cancelled = saga();
        var next = saga();
        assertThat(mayCall(first, cancelled)).isFalse();
        assertThat(mayCall(second, next)).isFalse();
        sql("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, payload, status, wake_at, fence)
                VALUES ('%s', 'order', 1, '{}', 'CANCELLED', NULL, 1),
                       ('%s', 'order', 1, '{}', 'RUNNING', now() + interval '1 hour', 1)
                """.formatted(cancelled, next));
        assertThat(running.release().getAsBoolean()).as("the next is woken").isTrue();
        assertThat(number("SELECT count(*) FROM saga.saga_states WHERE wake_at <= now()"))
                .isEqualTo(1);
        assertThat(mayCall(second, next)).isTrue();
    }

    @Test
    void aRateLetsASecondsWorthOfCallsThroughAndThenOneAfterTheOther() {
        limit(null, "5");
        for (int i = 0; i < 5; i++) {
            assertThat(mayCall(i % 2 == 0 ? first : second, saga())).isTrue();
        }
        sql("UPDATE saga.service_limits SET next_slot = clock_timestamp() + interval '40 seconds'");
        var wait = first.acquire(saga(), ONE_CALL, TIMEOUT).retryIn();
        assertThat(wait).isNotNull().isBetween(Duration.ofSeconds(10), Duration.ofSeconds(41));
        sql("UPDATE saga.service_limits SET next_slot = next_slot - interval '50 seconds'");
        sql("DELETE FROM saga.call_waits");
        for (int i = 0; i < 5; i++) {
            assertThat(mayCall(first, saga())).isTrue();
        }
        limit(null, "0.01");
        sql("UPDATE saga.service_limits SET next_slot = '-infinity'");
        assertThat(mayCall(first, saga())).isTrue();
        assertThat(mayCall(first, saga())).isFalse();
    }

    @Test
    void moreCallsAtOnceThanThereMayBeAreMadeAlone() {
        limit(2, null);
        var wide = new TreeMap<>(Map.of("shop", 3));
        var other = first.acquire(saga(), ONE_CALL, TIMEOUT);
        assertThat(second.acquire(saga(), wide, TIMEOUT).retryIn()).isNotNull();
        sql("DELETE FROM saga.call_waits");
        other.release().getAsBoolean();
        assertThat(second.acquire(saga(), wide, TIMEOUT).retryIn()).isNull();
        assertThat(mayCall(first, saga())).isFalse();
    }

    @Test
    void whoFindsNoRoomAtOneServiceSpendsNothingAtAnother() {
        limit(null, "2");
        db.useTransaction(tx -> new CallLimitStore().save(tx, "zoo", new ServiceLimits(1, null), "test"));
        assertThat(first.acquire(saga(), new TreeMap<>(Map.of("zoo", 1)), TIMEOUT)
                        .retryIn())
                .isNull();
        var both = new TreeMap<>(Map.of("shop", 1, "zoo", 1));
        var waiting = saga();
        for (int i = 0; i < 5; i++) {
            assertThat(second.acquire(waiting, both, TIMEOUT).retryIn()).isNotNull();
        }
        assertThat(mayCall(first, saga())).isTrue();
        assertThat(number("SELECT count(*) FROM saga.call_permits")).isEqualTo(1);
    }

    @Test
    void aSagaThatHasEndedDoesNotStandInTheLine() {
        limit(1, null);
        var running = first.acquire(saga(), ONE_CALL, TIMEOUT);
        var cancelled = saga();
        sql("INSERT INTO saga.saga_states (id, workflow_name, workflow_version, payload, status)"
                + " VALUES ('%s', 'order', 1, '{}', 'CANCELLED')".formatted(cancelled));
        assertThat(mayCall(second, cancelled)).isFalse();
        running.release().getAsBoolean();
        assertThat(mayCall(second, saga())).isTrue();
    }

    @Test
    void aLostCallWhoseSagaIsOutOfTimeWaitsForItsPermitLikeOthers() {
        limit(1, null);
        assertThat(mayCall(second, saga())).isTrue();
        var workflow = TestWorkflow.of("a");
        var lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
        try (var node = node(lease, workflow, first, new AtomicInteger(), new ConcurrentLinkedQueue<>())) {
            node.start(
                    new NewSaga(workflow.name(), JsonMapper.shared().createObjectNode(), null, "test", null), workflow);
            var parked = "SELECT count(*) FROM saga.saga_states WHERE owner IS NULL AND wake_at > now()";
            Awaitility.await().until(() -> number(parked) == 1);
            sql("UPDATE saga.saga_states SET in_doubt = true, deadline = now() - interval '1 s', wake_at = now()");
            Awaitility.await().until(() -> number(parked + " + interval '300 ms' AND fence > 2 AND in_doubt") == 1);
        } finally {
            lease.close();
        }
    }

    @Test
    void sagasOnTwoNodesKeepTheLimitAndAllComeToTheirTurn() {
        limit(2, null);
        var running = new AtomicInteger();
        var observed = new ConcurrentLinkedQueue<Integer>();
        var workflow = TestWorkflow.of("a", "b");
        var lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
        try (var one = node(lease, workflow, first, running, observed);
                var two = node(lease, workflow, second, running, observed)) {
            for (int i = 0; i < 15; i++) {
                var saga = new NewSaga(workflow.name(), JsonMapper.shared().createObjectNode(), null, "test", null);
                (i % 2 == 0 ? one : two).start(saga, workflow);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> number("SELECT count(*) FROM saga.saga_states WHERE status = 'COMPLETED'") == 15);
        } finally {
            lease.close();
        }
        assertThat(observed).hasSize(30).allSatisfy(calls -> assertThat(calls).isLessThanOrEqualTo(2));
        assertThat(number("SELECT count(*) FROM saga.call_permits")).isZero();
        assertThat(number("SELECT count(*) FROM saga.call_waits")).isZero();
    }

    /** A node whose steps all call one service, which takes a moment. */
    private static Engine node(
            WorkerLease lease,
            Workflow workflow,
            CallLimits limits,
            AtomicInteger running,
            ConcurrentLinkedQueue<Integer> observed) {
        var caller = new StepCaller() {
            @Override
            public StepOutcome call(StepCall call) {
                observed.add(running.incrementAndGet());
                Thread.yield();
                running.decrementAndGet();
                return TestService.done(call);
            }

            @Override
            public Permit acquire(SagaId saga, List<String> services, Duration timeout) {
                return limits.acquire(saga, ONE_CALL, timeout);
            }
        };
        var config =
                new SagaConfig(512, Duration.ofMillis(50), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));
        return new Engine(
                        new Engine.Parts(
                                db, Clock.systemUTC(), lease.ids(), (name, version) -> Optional.of(workflow), caller),
                        config)
                .open();
    }
}
