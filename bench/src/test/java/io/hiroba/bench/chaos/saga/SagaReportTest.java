package io.hiroba.bench.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.bench.chaos.saga.ObservedSaga.Row;
import io.hiroba.bench.chaos.saga.SagaNode.Reply;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plants faults in sagas and has them found. The saga is {@code a [ b c! ] ?ok d}; what became of it is written by hand. */
class SagaReportTest {

    private static final String ID = "019a0000-0000-7000-8000-000000000001";
    private static final long SEED = 1;

    private final ChaosWorkflow workflow = ChaosWorkflow.of("planted", null, "a [ b c! ] ?ok d");
    private final ServiceLog serviceLog = new ServiceLog();
    private final List<Row> log = new ArrayList<>();
    private final List<String> events = new ArrayList<>(List.of("STARTED", "RUNNING"));
    private final SagaRequests requests = new SagaRequests(number(), workflow);
    private SagaStatus status = SagaStatus.COMPLETED;
    private boolean stuck;
    private boolean resting = true;

    /** A saga whose steps the service undoes, all of them. */
    private static long number() {
        long number = 1;
        while (refuses(number)) {
            number++;
        }
        return number;
    }

    private static boolean refuses(long number) {
        return List.of(0, 1, 4).stream()
                .anyMatch(step -> ServiceBehaviour.of(SEED, number, step, false, 1) == ServiceBehaviour.REFUSING);
    }

    private void did(int step) {
        call(step, StepAction.EXECUTE, "do-");
    }

    private void undid(int step) {
        call(step, StepAction.COMPENSATE, "undo-");
    }

    private void call(int step, StepAction action, String prefix) {
        var key = key(step, action);
        if (workflow.steps().get(step).isCall()) {
            serviceLog.recordCall(key, prefix + workflow.steps().get(step).name(), "");
            serviceLog.recordEffect(key, prefix + workflow.steps().get(step).name());
        }
        row(step, action, StepStatus.SUCCESS, false);
    }

    private void row(int step, StepAction action, StepStatus as, boolean retried) {
        int attempt = (int) log.stream()
                        .filter(row -> row.step() == step && row.action() == action)
                        .count()
                + 1;
        log.add(new Row(
                step,
                action,
                attempt,
                as,
                retried,
                as == StepStatus.SUCCESS ? key(step, action) : null,
                "",
                as == StepStatus.TIMEOUT));
    }

    private static String key(int step, StepAction action) {
        return ID + ":" + step + ":" + action;
    }

    private void skipped(int step) {
        row(step, StepAction.COMPENSATE, StepStatus.SKIPPED, false);
    }

    private void complete() {
        List.of(0, 1, 2, 3, 4).forEach(this::did);
        events.add("COMPLETED");
    }

    /** Up to the signal, and back. */
    private void fail() {
        List.of(0, 1, 2).forEach(this::did);
        row(3, StepAction.EXECUTE, StepStatus.TIMEOUT, false);
        ended(SagaStatus.FAILED);
    }

    private void ended(SagaStatus as) {
        status = as;
        events.add("COMPENSATING");
        events.add(as.name());
    }

    private void undo() {
        skipped(2);
        undid(1);
        undid(0);
    }

    private SagaReport findings() {
        var saga = new ObservedSaga(ID, requests.number(), workflow, status, stuck, resting, log, events);
        return SagaReport.of(List.of(saga), Map.of(requests.number(), requests), serviceLog, SEED);
    }

    private List<String> violations() {
        return findings().differences().stream()
                .flatMap(difference -> difference.violations().stream())
                .toList();
    }

    @Test
    void whatIsRightIsTakenForRight() {
        complete();
        assertThat(violations()).isEmpty();
    }

    @Test
    void whatWasUndoneIsTakenForRight() {
        fail();
        undo();
        assertThat(violations()).isEmpty();
        assertThat(findings().remaining()).isZero();
    }

    @Test
    void aSagaThatHasNotEndedIsSeen() {
        status = SagaStatus.RUNNING;
        resting = false;
        did(0);
        assertThat(violations()).containsExactly("has not ended", "is not at rest: it has an owner, or is due");
    }

    @Test
    void aSagaThatIsStuckWithoutAPlanIsSeen() {
        did(0);
        row(0, StepAction.COMPENSATE, StepStatus.FAILED, false);
        status = SagaStatus.COMPENSATING;
        stuck = true;
        events.addAll(List.of("COMPENSATING", "stuck"));
        assertThat(violations()).containsExactly("is stuck, though its next compensation can succeed");
    }

    @Test
    void aStepThatIsMissingIsSeen() {
        List.of(0, 1, 2, 3).forEach(this::did);
        events.add("COMPLETED");
        assertThat(violations()).containsExactly("is completed without d");
    }

    @Test
    void aStepWithoutAnEffectIsSeen() {
        List.of(0, 1, 2, 3).forEach(this::did);
        row(4, StepAction.EXECUTE, StepStatus.SUCCESS, false);
        events.add("COMPLETED");
        assertThat(violations()).containsExactly("do-d is logged as done and had no effect");
    }

    @Test
    void anEffectUnderTwoKeysIsSeen() {
        complete();
        serviceLog.recordEffect(key(9, StepAction.EXECUTE), "do-d");
        assertThat(violations().toString()).contains("do-d took effect under the keys");
    }

    @Test
    void aStepThatWasNotUndoneIsSeen() {
        fail();
        skipped(2);
        undid(1);
        assertThat(violations()).containsExactly("a was not undone");
    }

    @Test
    void theWrongOrderIsSeen() {
        fail();
        skipped(2);
        undid(0);
        undid(1);
        assertThat(violations()).containsExactly("b was undone before what came after it");
    }

    @Test
    void whatWasUndoneWithoutHavingBeenDoneIsSeen() {
        fail();
        undid(4);
        undo();
        assertThat(violations()).contains("d was undone, though it was not done");
    }

    @Test
    void anEffectThatTheLogDoesNotKnowIsSeen() {
        did(0);
        row(2, StepAction.EXECUTE, StepStatus.FAILED, false);
        serviceLog.recordCall(key(1, StepAction.EXECUTE), "do-b", "");
        serviceLog.recordEffect(key(1, StepAction.EXECUTE), "do-b");
        undid(0);
        ended(SagaStatus.FAILED);
        assertThat(violations()).containsExactly("b had an effect that was not undone");
    }

    @Test
    void theEffectOfAStepThatNothingUndoesMayStayUnknown() {
        did(0);
        row(1, StepAction.EXECUTE, StepStatus.FAILED, false);
        serviceLog.recordCall(key(2, StepAction.EXECUTE), "do-c", "");
        serviceLog.recordEffect(key(2, StepAction.EXECUTE), "do-c");
        undid(0);
        ended(SagaStatus.FAILED);
        assertThat(violations()).isEmpty();
    }

    @Test
    void anEffectThatNobodyWasToldOfIsCountedWhereNothingUndoesIt() {
        did(0);
        serviceLog.recordCall(key(2, StepAction.EXECUTE), "do-c", "");
        serviceLog.recordEffect(key(2, StepAction.EXECUTE), "do-c");
        row(2, StepAction.EXECUTE, StepStatus.TIMEOUT, false);
        undid(0);
        ended(SagaStatus.FAILED);
        assertThat(violations()).isEmpty();
        assertThat(findings().remaining()).isOne();
    }

    @Test
    void aStepThatMayHaveTakenEffectIsToBeUndone() {
        did(0);
        serviceLog.recordCall(key(1, StepAction.EXECUTE), "do-b", "");
        serviceLog.recordEffect(key(1, StepAction.EXECUTE), "do-b");
        row(1, StepAction.EXECUTE, StepStatus.TIMEOUT, false);
        ended(SagaStatus.FAILED);
        assertThat(violations()).contains("b was not undone");
        undid(1);
        undid(0);
        assertThat(violations()).isEmpty();
    }

    @Test
    void anEffectAfterItsCompensationBeganIsSeen() {
        serviceLog.recordCall(key(0, StepAction.COMPENSATE), "undo-a", "");
        fail();
        undo();
        assertThat(violations()).containsExactly("a took effect after it began to be undone");
    }

    @Test
    void aStepBeforeItsTurnIsSeen() {
        serviceLog.recordCall(key(4, StepAction.EXECUTE), "do-d", "");
        complete();
        assertThat(violations()).contains("d was begun before a was done");
    }

    @Test
    void aGapInTheAttemptsIsSeen() {
        complete();
        var last = log.removeLast();
        log.add(new Row(last.step(), last.action(), 2, last.status(), false, last.key(), "", false));
        assertThat(violations()).containsExactly("attempt 1 of EXECUTE d is missing");
    }

    @Test
    void anAttemptAfterSuccessIsSeen() {
        complete();
        row(4, StepAction.EXECUTE, StepStatus.FAILED, false);
        assertThat(violations()).containsExactly("EXECUTE d was done, and then tried again");
    }

    @Test
    void theAnswerToAnotherCallIsSeen() {
        complete();
        var last = log.removeLast();
        log.add(new Row(last.step(), last.action(), 1, last.status(), false, key(0, StepAction.EXECUTE), "", false));
        assertThat(violations()).containsExactly("EXECUTE d was given the answer to " + key(0, StepAction.EXECUTE));
    }

    @Test
    void aStatusThatIsToldTwiceOrLeftOutIsSeen() {
        complete();
        events.add("COMPLETED");
        assertThat(violations()).contains("its events repeat a status");
        events.clear();
        events.addAll(List.of("STARTED", "FAILED"));
        assertThat(violations()).contains("its events change from STARTED to FAILED", "its events end with FAILED");
    }

    @Test
    void aCancelledSagaThatEndedOtherwiseIsSeen() {
        requests.add("cancel", new Reply(200, ID));
        complete();
        assertThat(violations()).containsExactly("was cancelled, and is not");
    }

    @Test
    void aSagaThatIsGoneIsSeen() {
        requests.add("start", new Reply(200, "019a0000-0000-7000-8000-000000000002"));
        complete();
        assertThat(violations()).containsExactly("is missing");
    }

    @Test
    void aStepThatWasCalledThoughItsConditionIsFalseIsFound() {
        var branch = ChaosWorkflow.of("branch", null, "a b%0 c%1");
        var called = number() % 2 == 0 ? 2 : 1;
        serviceLog.recordCall(key(0, StepAction.EXECUTE), "do-a", "");
        serviceLog.recordEffect(key(0, StepAction.EXECUTE), "do-a");
        row(0, StepAction.EXECUTE, StepStatus.SUCCESS, false);
        row(3 - called, StepAction.EXECUTE, StepStatus.SKIPPED, false);
        row(called, StepAction.EXECUTE, StepStatus.SKIPPED, false);
        serviceLog.recordCall(
                key(called, StepAction.EXECUTE),
                "do-" + branch.steps().get(called).name(),
                "");
        events.add("COMPLETED");
        var saga = new ObservedSaga(ID, requests.number(), branch, status, false, true, log, events);
        assertThat(SagaReport.of(List.of(saga), Map.of(requests.number(), requests), serviceLog, SEED)
                        .differences())
                .flatMap(SagaReport.Difference::violations)
                .anyMatch(violation -> violation.endsWith("was called, though its condition is false"))
                .anyMatch(violation -> violation.endsWith("was skipped, though its condition is true"));
    }

    @Test
    void aSagaThatFailedForNoReasonIsSeen() {
        did(0);
        undid(0);
        ended(SagaStatus.FAILED);
        assertThat(violations()).containsExactly("failed without a step that did");
    }

    private static ObservedSaga related(String id, String workflow, SagaStatus as, @Nullable String parent, int index) {
        return new ObservedSaga(
                id, 0, ChaosWorkflow.named(workflow), as, false, true, List.of(), List.of(), parent, index);
    }

    private static List<String> ofParent(SagaStatus as, ObservedSaga... children) {
        var all = Stream.concat(Stream.of(related("p", "family", as, null, 0)), Stream.of(children))
                .toList();
        return SagaFamily.all(all).getFirst().violations();
    }

    @Test
    void aChildThatIsNotUndoneWithItsParentIsSeen() {
        var undone = related("a", "leaf", SagaStatus.CANCELLED, "p", 0);
        var left = related("b", "leaf", SagaStatus.COMPLETED, "p", 1);
        assertThat(ofParent(SagaStatus.FAILED, undone, left))
                .containsExactly("is FAILED, and its child 1 is COMPLETED");
        assertThat(ofParent(SagaStatus.COMPLETED, left, undone))
                .containsExactly("is COMPLETED, and its child 0 is CANCELLED");
        assertThat(ofParent(SagaStatus.FAILED, undone)).isEmpty();
    }

    @Test
    void aChildThatWasStartedTwiceOrIsMissingIsSeen() {
        var first = related("a", "leaf", SagaStatus.FAILED, "p", 0);
        assertThat(ofParent(SagaStatus.FAILED, first, related("b", "leaf", SagaStatus.FAILED, "p", 0)))
                .containsExactly("its children have the positions [0, 0]");
        assertThat(ofParent(SagaStatus.FAILED, first, related("c", "leaf", SagaStatus.FAILED, "p", 2)))
                .containsExactly("its children have the positions [0, 2]");
        assertThat(SagaFamily.all(List.of(first)).getFirst().violations()).containsExactly("its parent is missing");
    }
}
