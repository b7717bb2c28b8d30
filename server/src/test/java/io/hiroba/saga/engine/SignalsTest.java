package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import java.time.Duration;
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

    private static Workflow approval(@Nullable Duration limit) {
        return TestWorkflow.named("approval")
                .steps("a")
                .signal("approval", "approve", limit)
                .mapped("b", "{\"who\": \"$.steps.approval.by\"}")
                .build();
    }
}
