package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.WorkerTasks.Failure;
import io.hiroba.saga.engine.FaultInjector;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Step.UnknownOutcome;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks whose workers, nodes and sagas die, are late or are cancelled. */
class LostTasksTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private final TestTasks worker = new TestTasks(DATABASE);
    private final TestSagas sagas = worker.sagas;

    @AfterEach
    void close() {
        worker.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void aTaskWhoseWorkerIsSilentIsGivenOutAgainAndItsLateAnswerIsRefused() {
        var id = worker.start(TestWorkflow.of("a"));
        var lost = worker.next();
        worker.endLeases("1 hour");
        var again = worker.next();
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.token()).isNotEqualTo(lost.token());
        assertThat(again.idempotencyKey()).isEqualTo(lost.idempotencyKey());
        TestTasks.refused(() -> worker.complete(lost), "saga.task-lost");
        TestTasks.refused(() -> worker.tasks.heartbeat(TestTasks.ADMIN, lost.token(), null), "saga.task-lost");
        worker.complete(again);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a FAILED", "EXECUTE a SUCCESS");
    }

    private List<String> undoneAfterALateTask(UnknownOutcome unknown, Failure answer) {
        var call = new Step.Call(
                "test", "do b", "undo b", null, null, unknown, unknown == UnknownOutcome.ASK ? "ask b" : null);
        var first = TestWorkflow.of("a").steps().getFirst();
        var id = worker.start(new Workflow(
                "late " + unknown,
                1,
                List.of(first, new Step(1, 1, "b", call, Duration.ofSeconds(5), first.retry())),
                null));
        worker.complete(worker.next());
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThat(worker.next().attempt()).isEqualTo(attempt);
            worker.endLeases("-1 ms");
        }
        if (unknown == UnknownOutcome.ASK) {
            var question = worker.next();
            assertThat(question.kind()).isEqualTo(TaskKind.STATUS);
            assertThat(question.idempotencyKey()).isEqualTo(id + ":1:EXECUTE");
            worker.tasks.fail(TestTasks.ADMIN, question.token(), answer);
        }
        worker.completeAll(id, SagaStatus.FAILED);
        return sagas.log(id);
    }

    @Test
    void aTaskOfUnknownOutcomeIsUndoneAskedAboutOrLeftAsTheStepSays() {
        var late = List.of("EXECUTE a SUCCESS", "EXECUTE b TIMEOUT", "EXECUTE b TIMEOUT");
        var unknown = new Failure("never heard of", false, false, "NOT_FOUND", null);
        assertThat(undoneAfterALateTask(UnknownOutcome.COMPENSATE, unknown))
                .startsWith(late.toArray(String[]::new))
                .endsWith("COMPENSATE b SUCCESS", "COMPENSATE a SUCCESS");
        assertThat(undoneAfterALateTask(UnknownOutcome.IGNORE, unknown))
                .startsWith(late.toArray(String[]::new))
                .endsWith("COMPENSATE a SUCCESS")
                .hasSize(4);
        assertThat(undoneAfterALateTask(UnknownOutcome.ASK, unknown))
                .startsWith(late.toArray(String[]::new))
                .endsWith("COMPENSATE b SKIPPED", "COMPENSATE a SUCCESS");
    }

    @Test
    void aCancelledSagaTakesBackWhatNobodyHasBegunAndLetsTheRestEnd() {
        var id = worker.start(
                TestWorkflow.named("order").steps("a").parallel("b", "c").build());
        worker.complete(worker.next());
        var begun = worker.next();
        sagas.awaitRest(id);
        assertThat(worker.tasks.heartbeat(TestTasks.ADMIN, begun.token(), null)).isFalse();
        sagas.cancel(id);
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'WITHDRAWN'") == 1);
        assertThat(worker.tasks.heartbeat(TestTasks.ADMIN, begun.token(), null)).isTrue();
        assertThat(TestTasks.poll(worker.tasks, 10, Duration.ZERO)).isEmpty();
        worker.complete(begun);
        var methods = worker.completeAll(id, SagaStatus.CANCELLED);
        assertThat(methods).containsExactly(begun.method().replace("do", "undo"), "undo a");
        TestTasks.refused(
                () -> worker.tasks.complete(TestTasks.ADMIN, begun.token(), TestTasks.json("1")), "saga.task-ended");
    }

    @Test
    void aWorkerThatIsLostAfterACancellationMayHaveDoneItsStep() {
        var id = worker.start(TestWorkflow.of("a"));
        var task = worker.next();
        sagas.awaitRest(id);
        sagas.cancel(id);
        assertThat(worker.tasks.heartbeat(TestTasks.ADMIN, task.token(), null)).isTrue();
        worker.endLeases("1 hour");
        assertThat(worker.completeAll(id, SagaStatus.CANCELLED)).containsExactly("undo a");
        assertThat(sagas.log(id)).containsExactly("EXECUTE a FAILED", "COMPENSATE a SUCCESS");
    }

    @Test
    void aTaskThatFailsTurnsTheSagaAroundWhileAnotherIsUnderWay() {
        var id = worker.start(
                TestWorkflow.named("order").parallel("a", "b").steps("c").build());
        var first = worker.next();
        var second = worker.next();
        worker.fail(first, false);
        Awaitility.await().until(() -> sagas.status(id) == SagaStatus.COMPENSATING);
        assertThat(worker.tasks.heartbeat(TestTasks.ADMIN, second.token(), null))
                .isTrue();
        worker.complete(second);
        assertThat(worker.completeAll(id, SagaStatus.FAILED))
                .containsExactly(second.method().replace("do", "undo"));
    }

    @Test
    void aTaskOfAServiceThatIsCalledByNowIsTakenBackAndItsStepCalled() {
        var id = worker.start(TestWorkflow.of("a"));
        Awaitility.await().until(() -> sagas.number("SELECT count(*) FROM saga.tasks WHERE state = 'QUEUED'") == 1);
        sagas.awaitRest(id);
        sagas.service.on("do a", call -> new StepOutcome.Done(TestTasks.json("{}")));
        worker.tasks.sweep();
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks")).isEqualTo(1);
        sagas.sql("UPDATE saga.tasks SET service = 'shop'");
        worker.tasks.sweep();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS");
    }

    @Test
    void aCallOfAServiceThatHasWorkersByNowIsATaskForThem() {
        sagas.service.on("do a", call -> {
            worker.tasks.begin(call);
            return worker.tasks.enqueue(call);
        });
        var id = worker.start(TestWorkflow.of("a"));
        worker.complete(worker.next());
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
    }

    /** A node that stops at {@code point}, is taken for dead there and goes on when it is told to. */
    private SagaId startOnANodeThatDies(FaultInjector.Point point, CompletableFuture<Void> returns) {
        var reached = new CompletableFuture<Void>();
        var node = sagas.node(each -> {
            if (each == point && reached.complete(null)) {
                returns.join();
            }
        });
        var id = sagas.start(node, TestWorkflow.of("a"));
        reached.join();
        sagas.declareDead();
        return id;
    }

    @Test
    void aNodeThatDiesWithTheTaskLeavesOneTaskThatAnotherGoesOnWith() {
        var returns = new CompletableFuture<Void>();
        var id = startOnANodeThatDies(FaultInjector.Point.AFTER_CALL, returns);
        sagas.node();
        worker.complete(worker.next());
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        returns.complete(null);
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks")).isEqualTo(1);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS");
    }

    @Test
    void aNodeThatWasTakenForDeadQueuesNothing() {
        var returns = new CompletableFuture<Void>();
        var id = startOnANodeThatDies(FaultInjector.Point.BEFORE_CALL, returns);
        sagas.cancel(id);
        sagas.node();
        sagas.awaitStatus(id, SagaStatus.CANCELLED);
        returns.complete(null);
        sagas.awaitRest(id);
        sagas.node();
        assertThat(TestTasks.poll(worker.tasks, 1, Duration.ofMillis(300))).isEmpty();
        assertThat(sagas.number("SELECT count(*) FROM saga.tasks")).isZero();
        assertThat(sagas.log(id)).isEmpty();
    }
}
