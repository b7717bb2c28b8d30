package io.hiroba.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.testkit.TestSagas;
import io.hiroba.testkit.TestService;
import io.hiroba.testkit.TestWorkflow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EngineTest {

    private static final TestDatabase DATABASE = TestDatabase.create();

    private final TestSagas sagas = new TestSagas(DATABASE);
    private final TestService service = sagas.service;
    private final Engine node = sagas.node();

    @AfterEach
    void close() {
        sagas.close();
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void stepsAreExecutedInOrderEachLoggedWithItsState() {
        var id = sagas.start(node, TestWorkflow.of("a", "b", "c"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.effects()).containsExactly("do a", "do b", "do c");
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE b SUCCESS", "EXECUTE c SUCCESS");
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPLETED");
        assertThat(sagas.text(id, "owner")).isEmpty();
    }

    @Test
    void startsEndsStepsAndRetriesAreCountedByWorkflow() {
        var tries = new AtomicInteger();
        service.on(
                "do a",
                call -> tries.incrementAndGet() < 2 ? Failed.retryable(Text.verbatim("busy")) : TestService.done(call));
        var workflow = TestWorkflow.named("counted")
                .retrying(3, Duration.ofMillis(1))
                .steps("a", "b")
                .build();
        sagas.awaitStatus(sagas.start(node, workflow), SagaStatus.COMPLETED);
        Awaitility.await()
                .untilAsserted(() -> assertThat(sagas.meters
                                .get("hiroba.sagas.ended")
                                .tags("workflow", "counted", "status", "completed")
                                .counter()
                                .count())
                        .isEqualTo(1));
        assertThat(sagas.meters
                        .get("hiroba.sagas.started")
                        .tag("workflow", "counted")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(sagas.meters
                        .get("hiroba.sagas.retries")
                        .tag("workflow", "counted")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(sagas.meters
                        .get("hiroba.sagas.steps")
                        .tags("workflow", "counted", "action", "execute", "outcome", "success")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(sagas.meters.get("hiroba.sagas.claim.lag").timer().count()).isPositive();
    }

    @Test
    void workflowsBeyondAHundredAreCountedTogether() {
        var metrics = new SagaMetrics(sagas.meters, new AtomicInteger());
        for (int i = 0; i < SagaMetrics.MAX_WORKFLOWS + 5; i++) {
            metrics.ended("w" + i, SagaStatus.FAILED);
        }
        assertThat(sagas.meters.get("hiroba.sagas.ended").counters().stream()
                        .filter(counter -> counter.getId().getTag("workflow").matches("w[0-9]+|other")))
                .hasSize(SagaMetrics.MAX_WORKFLOWS + 1);
    }

    @Test
    void theCurrentStepIsTheFirstThatIsNotDoneAndOnTheWayBackTheOneThatIsUndone() {
        var first = service.holds("do a");
        var third = service.holds("do c");
        var undone = service.holds("undo b");
        service.fails("do d", Failed.nonRetryable(Text.verbatim("no")));
        var id = sagas.start(node, TestWorkflow.of("a", "b", "c", "d"));
        first.awaitCall();
        assertThat(sagas.text(id, "current_step")).isEqualTo("0");
        first.release();
        third.awaitCall();
        assertThat(sagas.text(id, "current_step")).isEqualTo("2");
        third.release();
        undone.awaitCall();
        assertThat(sagas.text(id, "current_step")).isEqualTo("1");
        undone.release();
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.text(id, "current_step")).isEqualTo("0");
        var completed = sagas.start(node, TestWorkflow.of("x", "y"));
        sagas.awaitStatus(completed, SagaStatus.COMPLETED);
        assertThat(sagas.text(completed, "current_step")).isEqualTo("1");
    }

    @Test
    void aCallNamesItsSagaStepAndAction() {
        var id = sagas.start(node, TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        var call = service.calls("do a").getFirst();
        assertThat(call.idempotencyKey()).isEqualTo(id + ":0:EXECUTE");
        assertThat(call.attempt()).isEqualTo(1);
        assertThat(call.input().path("order").asInt()).isEqualTo(7);
    }

    @Test
    void laterStepsAreGivenTheAnswersOfEarlierOnes() {
        var workflow = TestWorkflow.named("order")
                .steps("a")
                .mapped(
                        "b",
                        "{\"from\": \"$.steps.a.by\", \"order\": \"$.payload.order\", \"note\": \"$.payload.note?\"}")
                .build();
        var id = sagas.start(node, workflow);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.calls("do b").getFirst().input()).hasToString("{\"from\":\"a\",\"order\":7}");
    }

    @Test
    void aStepThatNeedsWhatIsNotThereFailsForGood() {
        var workflow = TestWorkflow.named("order")
                .steps("a")
                .mapped("b", "\"$.payload.nothing\"")
                .build();
        var id = sagas.start(node, workflow);
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.error(id)).contains("`b`", "$.payload.nothing");
        assertThat(service.effects()).containsExactly("do a", "undo a");
    }

    @Test
    void aFailedStepIsTriedAgain() {
        var count = new AtomicInteger();
        service.on("do b", call -> {
            service.take(call);
            return count.incrementAndGet() < 2
                    ? Failed.retryable(Text.verbatim("the service answered with 503"))
                    : TestService.done(call);
        });
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS", "EXECUTE b FAILED", "EXECUTE b SUCCESS");
        assertThat(service.calls("do b")).extracting(call -> call.attempt()).containsExactly(1, 2);
    }

    @Test
    void whatTheServiceAsksForIsWaited() {
        var count = new AtomicInteger();
        service.on(
                "do a",
                call -> count.incrementAndGet() < 2
                        ? new Failed(Text.verbatim("busy"), false, Duration.ofMillis(600))
                        : TestService.done(call));
        var id = sagas.start(node, TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        var waited = sagas.db.read(reads ->
                reads.query("""
                SELECT first.retry_at - first.completed_at BETWEEN interval '300 ms' AND interval '650 ms'
                       AND second.started_at >= first.retry_at
                FROM saga.saga_step_logs AS first
                JOIN saga.saga_step_logs AS second ON second.saga_id = first.saga_id AND second.attempt = 2
                WHERE first.saga_id = :id AND first.attempt = 1
                """).bind("id", id.value()).mapTo(Boolean.class).one());
        assertThat(waited).isTrue();
    }

    @Test
    void aStepThatFailsForGoodHasTheCompletedOnesUndoneInReverse() {
        service.fails("do c", Failed.retryable(Text.verbatim("the service answered with 500")));
        var id = sagas.start(node, TestWorkflow.of("a", "b", "c", "d"));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do a", "do b", "undo b", "undo a");
        assertThat(sagas.log(id))
                .containsExactly(
                        "EXECUTE a SUCCESS",
                        "EXECUTE b SUCCESS",
                        "EXECUTE c FAILED",
                        "EXECUTE c FAILED",
                        "COMPENSATE b SUCCESS",
                        "COMPENSATE a SUCCESS");
        assertThat(sagas.told(id)).containsExactly("STARTED", "RUNNING", "COMPENSATING", "FAILED");
        assertThat(sagas.error(id)).isEqualTo("Step `c` failed after 2 attempts: the service answered with 500.");
    }

    @Test
    void aPermanentFailureIsNotTriedAgain() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("the service answered with 422")));
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.calls("do b")).hasSize(1);
    }

    @Test
    void aStepThatNothingUndoesIsSkipped() {
        service.fails("do c", Failed.nonRetryable(Text.verbatim("no")));
        var workflow = TestWorkflow.named("order")
                .steps("a")
                .withoutUndo("b")
                .steps("c")
                .build();
        var id = sagas.start(node, workflow);
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).endsWith("COMPENSATE b SKIPPED", "COMPENSATE a SUCCESS");
    }

    @Test
    void aTimeoutIsLoggedAsOne() {
        service.fails("do b", new StepOutcome.TimedOut(Text.verbatim("it took longer than 5000 ms")));
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).contains("EXECUTE b TIMEOUT");
    }

    @Test
    void aSagaThatTakesTooLongAltogetherIsUndone() {
        service.fails("do b", Failed.retryable(Text.verbatim("not yet")));
        var workflow = TestWorkflow.named("order")
                .totalTimeout(Duration.ofMillis(400))
                .retrying(1000, Duration.ofMillis(150))
                .steps("a", "b")
                .build();
        var id = sagas.start(node, workflow);
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).containsSubsequence("EXECUTE b FAILED", "EXECUTE b TIMEOUT", "COMPENSATE a SUCCESS");
        assertThat(sagas.error(id)).contains("longer than 400 ms");
    }

    @Test
    void compensationIsTriedAgainToo() {
        var count = new AtomicInteger();
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        service.on("undo a", call -> {
            if (count.incrementAndGet() < 2) {
                return new StepOutcome.TimedOut(Text.verbatim("late"));
            }
            service.take(call);
            return TestService.done(call);
        });
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(sagas.log(id)).endsWith("COMPENSATE a TIMEOUT", "COMPENSATE a SUCCESS");
    }

    @Test
    void aCompensationThatCannotSucceedLeavesTheSagaStuckAndSaysSo() {
        service.fails("do b", Failed.nonRetryable(Text.verbatim("no")));
        service.fails("undo a", Failed.retryable(Text.verbatim("the service answered with 500")));
        var id = sagas.start(node, TestWorkflow.of("a", "b"));
        Awaitility.await().until(() -> sagas.text(id, "stuck").equals("true"));
        assertThat(sagas.status(id)).isEqualTo(SagaStatus.COMPENSATING);
        assertThat(sagas.error(id)).contains("`a` could not be undone after 2 attempts");
        assertThat(sagas.told(id)).endsWith("COMPENSATING", "stuck");
        assertThat(sagas.text(id, "owner") + sagas.text(id, "wake_at")).isEmpty();
    }

    @Test
    void whatCannotBeKeptOfAnAnswerIsLeftOutForTheStepWasDone() {
        service.on(
                "do a",
                call -> new StepOutcome.Done(
                        JsonMapper.shared().createObjectNode().put("text", "\0")));
        var id = sagas.start(node, TestWorkflow.of("a"));
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(sagas.log(id)).containsExactly("EXECUTE a SUCCESS");
    }

    @Test
    void stepsSideBySideAreAllDoneBeforeTheNext() {
        var hold = service.holds("do b2");
        var workflow = TestWorkflow.named("order")
                .steps("a")
                .parallel("b1", "b2", "b3")
                .steps("c")
                .build();
        var id = sagas.start(node, workflow);
        hold.awaitCall();
        Awaitility.await().until(() -> sagas.log(id).size() == 3);
        assertThat(service.effects()).doesNotContain("do c");
        hold.release();
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(service.effects()).endsWith("do c");
    }

    @Test
    void whereOneOfSeveralFailsTheOthersAreLetEndAndUndone() {
        var hold = service.holds("do b1");
        service.fails("do b2", Failed.nonRetryable(Text.verbatim("no")));
        var workflow = TestWorkflow.named("order")
                .steps("a")
                .parallel("b1", "b2")
                .steps("c")
                .build();
        var id = sagas.start(node, workflow);
        hold.awaitCall();
        sagas.awaitStatus(id, SagaStatus.COMPENSATING);
        assertThat(sagas.text(id, "in_doubt")).isEqualTo("true");
        hold.release();
        sagas.awaitStatus(id, SagaStatus.FAILED);
        assertThat(service.effects()).containsExactly("do a", "do b1", "undo b1", "undo a");
    }

    @Test
    void aCallThatANodeLeavesIsMadeAgainAfterTheOthersHaveEnded() {
        var asked = new AtomicInteger();
        service.on("do b1", call -> {
            if (asked.incrementAndGet() == 1) {
                throw new LocalSagaStep.Left();
            }
            service.take(call);
            return TestService.done(call);
        });
        var workflow = TestWorkflow.named("left").parallel("b1", "b2").build();
        var id = sagas.start(node, workflow);
        sagas.awaitStatus(id, SagaStatus.COMPLETED);
        assertThat(asked.get()).isEqualTo(2);
        assertThat(service.effects()).containsExactlyInAnyOrder("do b1", "do b2");
        assertThat(sagas.log(id)).as("it was no attempt").hasSize(2);
    }

    @Test
    void aSagaWhoseWorkflowIsGoneIsSetAsideAndBlocksNobody() {
        service.fails("do a", Failed.retryable(Text.verbatim("later")));
        var workflow = TestWorkflow.named("gone")
                .retrying(5, Duration.ofMillis(300))
                .steps("a")
                .build();
        var id = sagas.start(node, workflow);
        sagas.awaitRest(id);
        sagas.forget(workflow);
        Awaitility.await().until(() -> sagas.text(id, "stuck").equals("true"));
        assertThat(sagas.error(id)).contains("`gone` is gone");
        var other = sagas.start(node, TestWorkflow.of("b"));
        sagas.awaitStatus(other, SagaStatus.COMPLETED);
    }
}
