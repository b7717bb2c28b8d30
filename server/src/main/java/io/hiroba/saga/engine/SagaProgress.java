package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The progress of a saga, from which the next {@link Decision} follows. It is built from the row and the log alone, whether
 * the saga is new, was waiting or is taken over from a dead node. Times are those of {@link System#nanoTime}. It is used by
 * one driver.
 */
final class SagaProgress {

    private static final int NO_STAGE = Integer.MAX_VALUE;

    private final ClaimedSaga saga;
    private final Workflow workflow;
    private final List<AttemptHistory> executions = new ArrayList<>();
    private final List<AttemptHistory> compensations = new ArrayList<>();
    private final Map<String, JsonNode> answers = new HashMap<>();

    private SagaStatus status;
    private @Nullable SagaStatus undoneAs;

    /** Steps whose call may have been running when the saga was lost: their effect is determined first. */
    private final Set<Integer> doubtful = new HashSet<>();

    /** Steps that wait for children of theirs; a driver that claims the saga looks again. */
    private final Set<Integer> waiting = new HashSet<>();

    /** Steps that were found to have no children. */
    private final Set<Integer> childless = new HashSet<>();

    private final int signals;
    private final Map<Integer, Long> doneAt = new HashMap<>();

    SagaProgress(ClaimedSaga saga, Workflow workflow) {
        this.saga = saga;
        this.workflow = workflow;
        this.status = saga.status();
        this.undoneAs = saga.undoneAs();
        this.signals = saga.signals();
        for (int i = 0; i < workflow.steps().size(); i++) {
            executions.add(new AttemptHistory());
            compensations.add(new AttemptHistory());
        }
        saga.attempts().forEach(this::ended);
        if (saga.inDoubt()) {
            markDoubtful(System.nanoTime());
        }
    }

    /**
     * A step that was not due cannot have been called; but during compensation one may wait for its retry. The effect of a
     * step without a compensation does not matter then.
     */
    private void markDoubtful(long now) {
        for (var step : currentStage()) {
            boolean maybeCalled = status == SagaStatus.COMPENSATING
                    ? step.work() instanceof Step.Call call && call.compensate() != null
                    : step.work() instanceof Step.Call
                            && executions.get(step.index()).isDue(now);
            if (maybeCalled) {
                doubtful.add(step.index());
            }
        }
    }

    SagaId id() {
        return saga.id();
    }

    ClaimedSaga saga() {
        return saga;
    }

    Workflow workflow() {
        return workflow;
    }

    SagaStatus status() {
        return status;
    }

    int signals() {
        return signals;
    }

    Map<String, JsonNode> answers() {
        return answers;
    }

    /** An attempt that has ended, just now or before this driver had the saga. */
    void ended(Attempt attempt) {
        history(attempt.step(), attempt.action()).ended(attempt);
        if (attempt.action() == StepAction.EXECUTE && attempt.status() == StepStatus.SUCCESS) {
            var answer = attempt.answer();
            if (answer != null) {
                answers.put(workflow.steps().get(attempt.step()).name(), answer);
            }
            doneAt.put(attempt.step(), attempt.endedAt());
        }
        // Going forward, an ended attempt resolves the doubt. During compensation it is retried until the effect is
        // certain.
        if (attempt.action() == StepAction.EXECUTE && (status.isForward() || attempt.retryAt() == null)) {
            doubtful.remove(attempt.step());
        }
    }

    /** Takes over the state in the database: an operator may have cancelled the saga. */
    void confirmed(SagaStatus status, @Nullable SagaStatus undoneAs) {
        if (this.status != status) {
            waiting.clear();
        }
        this.status = status;
        this.undoneAs = undoneAs;
    }

    void stepDone() {
        if (status == SagaStatus.STARTED) {
            status = SagaStatus.RUNNING;
        }
    }

    void undo() {
        waiting.clear();
        status = SagaStatus.COMPENSATING;
    }

    /** Whether the step is completed, undone or not. */
    boolean isDone(Step step) {
        return executions.get(step.index()).is(StepStatus.SUCCESS);
    }

    /** There is nothing to do for this step until one of its children ends. */
    void waitsForChildren(Step step) {
        waiting.add(step.index());
    }

    /** The step has started no children, so that there are none to undo. */
    void hasNoChildren(Step step) {
        childless.add(step.index());
    }

    int attempts(Step step, StepAction action) {
        return history(step.index(), action).attempts();
    }

    int attemptsInRound(Step step, StepAction action) {
        return history(step.index(), action).attemptsInRound();
    }

    /** Whether a call with an unknown effect may have been made. */
    boolean isInDoubt() {
        return !doubtful.isEmpty();
    }

    /** Whether a failed execution is retried: during compensation only to determine the effect of a lost call. */
    boolean retriesExecution() {
        return status.isForward() || isInDoubt();
    }

    /** The first step that is not completed; during compensation, the one that is undone. */
    int currentStep() {
        if (status == SagaStatus.COMPENSATING) {
            var step = nextToUndo();
            return step == null ? 0 : step.index();
        }
        int step = 0;
        while (step < executions.size() - 1 && executions.get(step).is(StepStatus.SUCCESS)) {
            step++;
        }
        return step;
    }

    Decision next(long now) {
        if (isInDoubt()) {
            return resolveDoubt(now);
        }
        return status == SagaStatus.COMPENSATING ? nextBackward(now) : nextForward(now);
    }

    private Decision nextForward(long now) {
        if (executions.stream().allMatch(history -> history.is(StepStatus.SUCCESS))) {
            return new Decision.End(SagaStatus.COMPLETED);
        }
        var stage = currentStage();
        if (saga.deadline() != null && saga.deadline() - now <= 0) {
            return new Decision.Overdue(
                    stage.getFirst(),
                    Text.of("saga.journal.saga-too-long", "milliseconds", milliseconds(workflow.totalTimeout())));
        }
        var due = new ArrayList<Step>();
        for (var step : stage) {
            if (step.work() instanceof Step.Signal signal) {
                var payload = saga.signalPayloads().get(signal.name());
                if (payload != null) {
                    return new Decision.Signalled(step, payload);
                }
                if (step.timeout() != null && waitEnds(step) - now <= 0) {
                    return new Decision.Overdue(
                            step,
                            Text.of(
                                    "saga.journal.signal-late",
                                    "signal",
                                    signal.name(),
                                    "milliseconds",
                                    milliseconds(step.timeout())));
                }
            } else if (step.work() instanceof Step.Children) {
                if (step.timeout() != null && waitEnds(step) - now <= 0) {
                    return new Decision.Overdue(
                            step, Text.of("saga.journal.children-late", "milliseconds", milliseconds(step.timeout())));
                }
                if (!waiting.contains(step.index())) {
                    return new Decision.RunChildren(step);
                }
            } else if (step.work() instanceof Step.Continuation) {
                return new Decision.Continue(step);
            } else if (executions.get(step.index()).isDue(now)) {
                due.add(step);
            }
        }
        return due.isEmpty() ? waitFor(stage, now) : new Decision.Execute(due);
    }

    private Decision resolveDoubt(long now) {
        var open = workflow.steps().stream()
                .filter(step -> doubtful.contains(step.index()))
                .toList();
        var due = open.stream()
                .filter(step -> executions.get(step.index()).isDue(now))
                .toList();
        return due.isEmpty() ? waitFor(open, now) : new Decision.Execute(due);
    }

    private Decision nextBackward(long now) {
        var step = nextToUndo();
        if (step == null) {
            return new Decision.End(undoneAs == null ? SagaStatus.FAILED : undoneAs);
        }
        if (step.work() instanceof Step.Children) {
            return waiting.contains(step.index()) ? waitFor(List.of(), now) : new Decision.UndoChildren(step);
        }
        if (!(step.work() instanceof Step.Call call) || call.compensate() == null) {
            return new Decision.Skip(step);
        }
        return compensations.get(step.index()).isDue(now)
                ? new Decision.Compensate(step)
                : waitFor(List.of(), compensations.get(step.index()).retryAt(), now);
    }

    /** The steps of the first stage that is not completed which are neither done nor given up. */
    private List<Step> currentStage() {
        int stage = NO_STAGE;
        var open = new ArrayList<Step>();
        for (var step : workflow.steps()) {
            var history = executions.get(step.index());
            if (!history.is(StepStatus.SUCCESS) && step.stage() <= stage) {
                stage = step.stage();
                if (history.isOpen()) {
                    open.add(step);
                }
            }
        }
        return open;
    }

    private @Nullable Step nextToUndo() {
        for (int i = executions.size() - 1; i >= 0; i--) {
            boolean undone = compensations.get(i).is(StepStatus.SUCCESS)
                    || compensations.get(i).is(StepStatus.SKIPPED);
            var step = workflow.steps().get(i);
            // Children may have been started by a step that is not done.
            boolean begun = step.work() instanceof Step.Children && !childless.contains(i);
            if ((executions.get(i).is(StepStatus.SUCCESS) || begun) && !undone) {
                return step;
            }
        }
        return null;
    }

    private Decision waitFor(List<Step> stage, long now) {
        return waitFor(stage, null, now);
    }

    private Decision waitFor(List<Step> stage, @Nullable Long retryAt, long now) {
        var ends = new ArrayList<Long>();
        if (retryAt != null) {
            ends.add(retryAt);
        }
        if (status.isForward() && saga.deadline() != null) {
            ends.add(saga.deadline());
        }
        for (var step : stage) {
            var history = executions.get(step.index());
            if (history.isRetrying()) {
                ends.add(history.retryAt());
            } else if (!(step.work() instanceof Step.Call) && step.timeout() != null) {
                ends.add(waitEnds(step));
            }
        }
        return new Decision.Wait(ends.stream()
                .map(end -> Duration.ofNanos(Math.max(0, end - now)))
                .min(Duration::compareTo)
                .orElse(null));
    }

    private long waitEnds(Step step) {
        long began = saga.createdAt();
        for (var earlier : workflow.steps()) {
            if (earlier.stage() < step.stage()) {
                began = Math.max(began, doneAt.getOrDefault(earlier.index(), began));
            }
        }
        return began + (step.timeout() == null ? 0 : step.timeout().toNanos());
    }

    private AttemptHistory history(int step, StepAction action) {
        return (action == StepAction.EXECUTE ? executions : compensations).get(step);
    }

    private static String milliseconds(@Nullable Duration timeout) {
        return Long.toString(timeout == null ? 0 : timeout.toMillis());
    }
}
