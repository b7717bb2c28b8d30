package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Step.UnknownOutcome;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Calls, sagas and leases that got lost with their node. */
@Tag("slow")
class LostCallsTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private static final StepOutcome NOTHING =
            new StepOutcome.Done(JsonMapper.shared().nullNode());

    private final TestSagas sagas = new TestSagas(DATABASE);
    private final TestService service = sagas.service;

    @AfterEach
    void close() {
        sagas.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    private List<String> undoneAfterATimeout(UnknownOutcome unknown, StepOutcome status) {
        var call = new Step.Call(
                "test", "do b", "undo b", null, null, unknown, unknown == UnknownOutcome.ASK ? "ask b" : null);
        var first = TestWorkflow.of("a").steps().getFirst();
        var workflow = new Workflow(
                "unknown " + unknown,
                1,
                List.of(first, new Step(1, 1, "b", call, Duration.ofSeconds(5), first.retry())),
                null);
        service.on("do b", each -> {
            service.take(each);
            return new StepOutcome.TimedOut(Text.verbatim("too late"));
        });
        service.fails("ask b", status);
        var id = sagas.start(sagas.node(), workflow);
        sagas.awaitRest(id);
        sagas.awaitStatus(id, SagaStatus.FAILED);
        return sagas.log(id);
    }

    @Test
    void aStepThatMayHaveTakenEffectIsUndoneByDefault() {
        assertThat(undoneAfterATimeout(UnknownOutcome.COMPENSATE, NOTHING))
                .containsExactly(
                        "EXECUTE a SUCCESS",
                        "EXECUTE b TIMEOUT",
                        "EXECUTE b TIMEOUT",
                        "COMPENSATE b SUCCESS",
                        "COMPENSATE a SUCCESS");
        assertThat(service.effects()).containsExactly("do a", "do b", "undo b", "undo a");
    }

    @Test
    void aStepThatMayHaveTakenEffectIsLeftAloneWhereItSaysSo() {
        assertThat(undoneAfterATimeout(UnknownOutcome.IGNORE, NOTHING))
                .containsExactly("EXECUTE a SUCCESS", "EXECUTE b TIMEOUT", "EXECUTE b TIMEOUT", "COMPENSATE a SUCCESS");
    }

    @Test
    void aServiceIsAskedWhetherItDidAStepAndThatIsUndoneOrNot() {
        var answer = JsonMapper.shared().readTree("{\"id\":7}");
        assertThat(undoneAfterATimeout(UnknownOutcome.ASK, new StepOutcome.Done(answer)))
                .containsExactly(
                        "EXECUTE a SUCCESS",
                        "EXECUTE b TIMEOUT",
                        "EXECUTE b TIMEOUT",
                        "EXECUTE b SUCCESS",
                        "COMPENSATE b SUCCESS",
                        "COMPENSATE a SUCCESS");
        var asked = service.calls("ask b").getFirst();
        assertThat(asked.idempotencyKey()).endsWith(":1:EXECUTE");

        var head = JsonMapper.shared().readTree("{\"status\":\"404\"}");
        var unknown = new Failed(Text.verbatim("no"), true, null, new StepOutcome.KeptAnswer(null, head), false);
        assertThat(undoneAfterATimeout(UnknownOutcome.ASK, unknown))
                .containsExactly(
                        "EXECUTE a SUCCESS",
                        "EXECUTE b TIMEOUT",
                        "EXECUTE b TIMEOUT",
                        "COMPENSATE b SKIPPED",
                        "COMPENSATE a SUCCESS");
        assertThat(sagas.number("""
                        SELECT count(*) FROM saga.saga_step_logs
                        WHERE action = 'COMPENSATE' AND status = 'SKIPPED' AND response_head ->> 'status' = '404'
                        """))
                .as("the answer is kept by which nothing is undone")
                .isEqualTo(1);
    }

    @Test
    void whatLostCallsDidIsFoundOutThoughTheSagasTimeIsOver() {
        var first = service.holds("do b");
        var second = service.holds("do c");
        var workflow = TestWorkflow.named("order")
                .totalTimeout(Duration.ofSeconds(1))
                .steps("a")
                .parallel("b", "c")
                .steps("d")
                .build();
        var id = sagas.start(sagas.node(), workflow);
        first.awaitCall();
        second.awaitCall();
        service.heals("do b");
        service.heals("do c");
        Awaitility.await().until(() -> sagas.text(id, "(deadline < now())").equals("true"));
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.FAILED);
        first.release();
        second.release();
        assertThat(service.effects())
                .startsWith("do a")
                .contains("do b", "do c")
                .endsWith("undo c", "undo b", "undo a");
        assertThat(sagas.log(id)).contains("EXECUTE d TIMEOUT");
        assertThat(service.calls("do d")).isEmpty();
    }

    @Test
    void aSagaThatIsLostWhileItIsUndoneDoesNotGoForward() {
        var hold = service.holds("undo a");
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(
                sagas.node(),
                TestWorkflow.named("order").parallel("a", "b").steps("c").build());
        hold.awaitCall();
        service.heals("undo a");
        service.heals("do b");
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.FAILED);
        hold.release();
        assertThat(service.effects()).containsExactly("do a", "undo a");
    }

    @Test
    void aCancelledSagaThatIsLostWhileItIsUndoneBeginsNoFurtherStep() {
        var step = service.holds("do b");
        var hold = service.holds("undo b");
        var id = sagas.start(sagas.node(), TestWorkflow.of("a", "b", "c"));
        step.awaitCall();
        sagas.cancel(id);
        step.release();
        hold.awaitCall();
        service.heals("undo b");
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        hold.release();
        assertThat(service.calls("do c")).isEmpty();
        assertThat(service.effects()).containsExactly("do a", "do b", "undo b", "undo a");
    }

    @Test
    void aFailureWithNothingToUndoEndsAsCancelledWhereSomebodyJustCancelled() {
        var hold = service.holds("do a");
        var id = sagas.start(
                sagas.node(),
                TestWorkflow.named("order")
                        .timeout(Duration.ofSeconds(5))
                        .mapped("a", "{\"order\": \"$.payload.order\"}")
                        .build());
        hold.awaitCall();
        service.fails("do a", Failed.nonRetryable(Text.verbatim("no")));
        sagas.cancel(id);
        sagas.declareDead();
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        hold.release();
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPENSATING", "CANCELLED");
    }

    @Test
    void aFailureWithNothingToUndoIsToldInOrder() {
        service.fails("do a", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(sagas.node(), TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPENSATING", "FAILED");
    }

    /** As after a claim whose commit was not answered. */
    @Test
    void aSagaThatIsItsNodesWithoutItsKnowledgeIsTakenUpAnew() {
        service.fails("do a", Failed.retryable(Text.verbatim("busy")));
        var workflow = TestWorkflow.named("order")
                .retrying(3, Duration.ofMinutes(1))
                .steps("a")
                .build();
        var id = sagas.start(sagas.node(), workflow);
        sagas.awaitRest(id);
        service.heals("do a");
        sagas.sql("""
                UPDATE saga.saga_step_logs SET retry_at = now() WHERE saga_id = '%s'
                """.formatted(id));
        sagas.sql("""
                UPDATE saga.saga_states SET fence = fence + 1, wake_at = NULL,
                    owner = (SELECT id FROM saga.nodes WHERE lease_until > now() LIMIT 1)
                WHERE id = '%s'
                """.formatted(id));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void theSagasOfANodeWhoseLeaseRunsOutGoOnElsewhereWithinTenSeconds() throws SQLException {
        var hold = service.holds("do b");
        var id = sagas.start(sagas.node(), TestWorkflow.of("a", "b", "c"));
        hold.awaitCall();
        service.heals("do b");
        try (var connection = DATABASE.db().dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            // Nobody gets to renew the lease of the node that is there.
            statement.execute("SELECT id FROM saga.nodes FOR UPDATE");
            sagas.node();
            // Ten seconds by what is waited for; a machine that is busy with other tests may take longer to get to it.
            assertThat(NodeLease.LEASE_DURATION).isBetween(Recovery.INTERVAL, Duration.ofSeconds(9));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> service.calls("do b").size() == 2);
            connection.rollback();
        }
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        hold.release();
        assertThat(service.effects()).containsExactly("do a", "do b", "do c");
    }

    @Test
    void aPayloadThatCannotBeReadIsSetAsideAndInNobodysWay() {
        var poison = new SagaId(UUID.randomUUID());
        sagas.define(TestWorkflow.of("a"));
        sagas.sql("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, payload, wake_at)
                VALUES ('%s', 'order', 1, (repeat('[', 2000) || repeat(']', 2000))::jsonb, now() - interval '1 min'),
                       (gen_random_uuid(), 'order', 1, '{}', now())
                """.formatted(poison));
        sagas.node();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> sagas.text(poison, "stuck").equals("true"));
        assertThat(sagas.error(poison)).isEqualTo("Its payload cannot be read.");
        assertThat(sagas.told(poison)).contains("stuck");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> service.effects().equals(List.of("do a")));
    }

    @Test
    void aNodeThatWasTakenForDeadGoesOnUnderAnotherNumber() {
        sagas.node();
        sagas.declareDead();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> sagas.db.read(
                        reads -> reads.query("""
                                SELECT count(*) FILTER (WHERE lease_until > now()) = 1
                                       AND count(*) FILTER (WHERE lease_until <= now()) >= 1 FROM saga.nodes
                                """).mapTo(Boolean.class).one()));
    }
}
