package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.id.Ids;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that wait until somebody says so. */
class SignalsTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

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

    @Test
    void aSagaThatWaitsHoldsNothingAndGoesOnWhenTheSignalComes() {
        var id = sagas.start(sagas.node(), approval(null));
        sagas.awaitStatus(id, SagaStatus.RUNNING);
        sagas.awaitRest(id);
        assertThat(sagas.text(id, "wake_at")).isEmpty();
        sagas.signal(id, "approve", "{\"by\": \"Ada\"}");
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE approval SUCCESS", "EXECUTE b SUCCESS");
        assertThat(service.calls("do b").getFirst().input()).hasToString("{\"who\":\"Ada\"}");
    }

    @Test
    void aSignalThatComesBeforeItIsAwaitedIsKept() {
        var hold = service.holds("do a");
        var id = sagas.start(sagas.node(), approval(null));
        hold.awaitCall();
        sagas.signal(id, "approve", "{\"by\": \"Ada\"}");
        hold.release();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void aSignalThatComesWhileAnotherStepRunsIsTakenUpAtOnce() {
        var hold = service.holds("do a");
        var workflow = TestWorkflow.named("beside")
                .parallelWithSignal("a", "approval", "approve", Duration.ofHours(1))
                .build();
        var id = sagas.start(sagas.node(Duration.ofHours(1)), workflow);
        hold.awaitCall();
        sagas.signal(id, "approve", "{}");
        hold.release();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    @Test
    void aSagaThatWaitsOutlivesItsNode() {
        var first = sagas.node();
        var id = sagas.start(first, approval(null));
        sagas.awaitStatus(id, SagaStatus.RUNNING);
        sagas.awaitRest(id);
        first.close();
        sagas.signal(id, "approve", "{\"by\": \"Ada\"}");
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do a")).hasSize(1);
    }

    @Test
    void aSignalThatDoesNotComeInTimeHasTheSagaUndone() {
        var id = sagas.start(sagas.node(), approval(Duration.ofMillis(200)));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id))
                .containsExactly("EXECUTE a SUCCESS", "EXECUTE approval TIMEOUT", "COMPENSATE a SUCCESS");
        assertThat(sagas.error(id)).contains("the signal `approve` did not arrive within 200 ms");
    }

    /** The driver has read the signals when this one is sent, and finds the deadline passed. */
    @Test
    void aSignalThatIsSentWhileItExpiresCounts() {
        var waiting = new AtomicReference<@Nullable SagaId>();
        var node = sagas.node(point -> {
            var id = point == FaultInjector.Point.CLAIMED ? waiting.getAndSet(null) : null;
            if (id != null) {
                sagas.signal(id, "approve", "{\"by\": \"Ada\"}");
            }
        });
        var id = sagas.start(node, approval(Duration.ofMillis(500)));
        Awaitility.await().until(() -> sagas.text(id, "waiting_for").equals("approve"));
        waiting.set(id);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE approval SUCCESS", "EXECUTE b SUCCESS");
    }

    @Test
    void aSignalThatIsSentAfterItExpiredIsRefused() {
        var hold = service.holds("undo a");
        var id = sagas.start(sagas.node(), approval(Duration.ofMillis(100)));
        hold.awaitCall();
        assertThatThrownBy(() -> sagas.signal(id, "approve", "{}"))
                .isInstanceOfSatisfying(
                        SagaProblem.class, problem -> assertThat(problem.code()).isEqualTo("saga.compensating"));
        hold.release();
        sagas.awaitStatus(id, SagaStatus.FAILED);
    }

    /** A driver is lost after each of its commits in turn, that of the request among them. */
    @Test
    void whereverADriverIsLostAnApprovalIsRequestedOnceAndItsOutcomeCountsOnce() {
        addAssignee();
        var workflow = TestWorkflow.named("asked")
                .steps("a")
                .approval("decide", Ids.hex(77))
                .steps("b")
                .build();
        for (int lost = 1; lost <= 6; lost++) {
            var left = new AtomicInteger(lost);
            var node = sagas.node(point -> {
                if (point == FaultInjector.Point.WRITTEN && left.decrementAndGet() == 0) {
                    throw new StepInvoker.LeaseEnded();
                }
            });
            var id = sagas.start(node, workflow);
            Awaitility.await().until(() -> sagas.text(id, "waiting_for").equals("decide"));
            approve(id);
            node.wake();
            sagas.awaitStatus(id, SagaStatus.COMPLETED);
            assertThat(sagas.log(id))
                    .containsExactly("EXECUTE a SUCCESS", "EXECUTE decide SUCCESS", "EXECUTE b SUCCESS");
            assertThat(sagas.number("""
                    SELECT count(*) FROM platform.event_logs
                    WHERE payload ->> 'type' = 'approval-requested' AND payload ->> 'sagaId' = '%s'
                    """.formatted(id))).isEqualTo(1);
            node.close();
        }
    }

    /** The driver has read the signals when the assignee approves, and finds the deadline passed. */
    @Test
    void anApprovalThatIsGivenWhileItExpiresCounts() {
        addAssignee();
        var workflow = TestWorkflow.named("late")
                .steps("a")
                .approval("decide", Ids.hex(77), Duration.ofMillis(500))
                .steps("b")
                .build();
        var waiting = new AtomicReference<@Nullable SagaId>();
        var node = sagas.node(point -> {
            var id = point == FaultInjector.Point.CLAIMED ? waiting.getAndSet(null) : null;
            if (id != null) {
                approve(id);
            }
        });
        var id = sagas.start(node, workflow);
        Awaitility.await().until(() -> sagas.text(id, "waiting_for").equals("decide"));
        waiting.set(id);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE decide SUCCESS", "EXECUTE b SUCCESS");

        var late = sagas.start(node, workflow);
        sagas.awaitStatus(late, SagaStatus.FAILED);
        assertThat(sagas.number("SELECT count(*) FROM saga.approvals WHERE saga_id = '%s' AND state = 'overdue'"
                        .formatted(late)))
                .isEqualTo(1);
    }

    private void addAssignee() {
        sagas.sql("""
                INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                VALUES (77, 'assignee@example.org', 'Assignee', '', false, '')
                ON CONFLICT DO NOTHING
                """);
    }

    private void approve(SagaId id) {
        var approval = "(SELECT id FROM saga.approvals WHERE saga_id = '%s')".formatted(id);
        sagas.sql("""
                WITH locked AS (SELECT id FROM saga.saga_states WHERE id = '%s' FOR UPDATE)
                INSERT INTO saga.approval_decisions (approval_id, number, user_id, approved, comment, answers)
                SELECT %s, 1, 77, true, 'yes', '{}' FROM locked
                """.formatted(id, approval));
        assertThat(sagas.number("SELECT count(*) FROM saga.settle_approval(%s)".formatted(approval)))
                .isEqualTo(1);
    }

    private static Workflow approval(@Nullable Duration limit) {
        return TestWorkflow.named("approval")
                .steps("a")
                .signal("approval", "approve", limit)
                .mapped("b", "{\"who\": \"$.steps.approval.by\"}")
                .build();
    }
}
