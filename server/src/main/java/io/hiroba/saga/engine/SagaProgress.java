package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.TaskKind;
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
import tools.jackson.databind.json.JsonMapper;

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

    private final int signals;
    private final Map<Integer, Long> doneAt = new HashMap<>();
    private final StepRules rules;
    private final WaitRules waits;
    private final OpenTasks tasks;

    SagaProgress(ClaimedSaga saga, Workflow workflow) {
        this.saga = saga;
        this.workflow = workflow;
        this.status = saga.status();
        this.undoneAs = saga.undoneAs();
        this.signals = saga.signals();
        this.rules = new StepRules(saga, answers);
        this.waits = new WaitRules(saga, this::reachedAt);
        this.tasks = new OpenTasks(
                saga.tasks(), (step, action) -> history(step, action).attempts());
        for (int i = 0; i < workflow.steps().size(); i++) {
            executions.add(new AttemptHistory());
            compensations.add(new AttemptHistory());
        }
        saga.attempts().forEach(this::ended);
        if (saga.inDoubt()) {
            markDoubtful(System.nanoTime());
        }
        if (status == SagaStatus.COMPENSATING) {
            // Executions that are tasks are let end before anything is undone.
            doubtful.addAll(tasks.executions(workflow.steps()));
        } else {
            doubtful.removeAll(tasks.executions(workflow.steps()));
        }
    }

    /** A call was begun as a task. */
    void begun(OpenTask task) {
        tasks.begun(task);
        if (task.kind() == TaskKind.EXECUTE && status.isForward()) {
            doubtful.remove(task.step());
        }
    }

    /** The tasks that there are after the queue was asked for those of this saga. */
    void recalled(List<OpenTask> found) {
        doubtful.removeAll(tasks.recalled(found));
    }

    OpenTasks tasks() {
        return tasks;
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
            if (maybeCalled && rules.isExecuted(step)) {
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
        if (attempt.action() == StepAction.EXECUTE
                && (attempt.status() == StepStatus.SUCCESS || attempt.status() == StepStatus.SKIPPED)) {
            // A step that was left out has no answer, unless an operator gave one.
            var answer = attempt.answer();
            if (answer != null || attempt.status() == StepStatus.SUCCESS) {
                answers.put(
                        workflow.steps().get(attempt.step()).name(),
                        answer == null ? JsonMapper.shared().nullNode() : answer);
            }
        }
        if (attempt.action() == StepAction.EXECUTE
                && executions.get(attempt.step()).isDone()) {
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
            waits.turned();
            if (status == SagaStatus.COMPENSATING) {
                doubtful.addAll(tasks.executions(workflow.steps()));
            }
        }
        this.status = status;
        this.undoneAs = undoneAs;
    }

    /** What this driver knows of the steps that wait. */
    WaitRules waits() {
        return waits;
    }

    /** The signal, or the step with an approval, that it waits for; null where it waits for neither. */
    @Nullable
    String waitingFor() {
        if (!status.isForward()) {
            return null;
        }
        return currentStage().stream()
                .filter(Step::waits)
                .map(step -> step.work() instanceof Step.Signal signal ? signal.name() : step.name())
                .findFirst()
                .orElse(null);
    }

    void undo() {
        waits.turned();
        doubtful.addAll(tasks.executions(workflow.steps()));
        status = SagaStatus.COMPENSATING;
    }

    /** Whether the step was executed with success, undone or not. */
    boolean isDone(Step step) {
        return executions.get(step.index()).is(StepStatus.SUCCESS);
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
        while (step < executions.size() - 1 && executions.get(step).isDone()) {
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
        if (executions.stream().allMatch(AttemptHistory::isDone)) {
            return new Decision.End(SagaStatus.COMPLETED);
        }
        var stage = currentStage();
        var ended = tasks.ended(stage);
        if (ended != null) {
            return ended;
        }
        if (saga.deadline() != null && saga.deadline() - now <= 0) {
            var reason = Text.of("saga.journal.saga-too-long", "time", WaitRules.time(workflow.totalTimeout()));
            return stage.stream().anyMatch(tasks::isOpen)
                    ? new Decision.Turn(stage.getFirst(), reason)
                    : new Decision.Overdue(stage.getFirst(), reason);
        }
        var due = new ArrayList<Step>();
        for (var step : stage) {
            boolean isTask = tasks.isOpen(step);
            boolean called = step.work() instanceof Step.Call
                    && (isTask || executions.get(step.index()).attempts() > 0);
            var ruled = called ? null : rules.decide(step, reachedAt(step), now);
            if (ruled != null) {
                return ruled;
            }
            if (!(step.work() instanceof Step.Call)) {
                var waited = waits.decide(step, now);
                if (waited != null) {
                    return waited;
                }
            } else if (!isTask && executions.get(step.index()).isDue(now)) {
                due.add(step);
            }
        }
        return due.isEmpty() ? waitFor(stage, now) : new Decision.Execute(due);
    }

    private Decision resolveDoubt(long now) {
        var open = workflow.steps().stream()
                .filter(step -> doubtful.contains(step.index()))
                .toList();
        var ended = tasks.ended(open);
        if (ended != null) {
            return ended;
        }
        if (!status.isForward() && !tasks.isRecalled() && open.stream().anyMatch(tasks::isOpen)) {
            return new Decision.Recall();
        }
        var due = open.stream()
                .filter(step ->
                        !tasks.isOpen(step) && executions.get(step.index()).isDue(now))
                .toList();
        return due.isEmpty() ? waitFor(open, now) : new Decision.Execute(due);
    }

    private Decision nextBackward(long now) {
        var step = nextToUndo();
        if (step == null) {
            return new Decision.End(undoneAs == null ? SagaStatus.FAILED : undoneAs);
        }
        if (step.work() instanceof Step.Children) {
            return waits.isWaiting(step) ? waitFor(List.of(), now) : new Decision.UndoChildren(step);
        }
        if (!(step.work() instanceof Step.Call call) || call.compensate() == null) {
            return new Decision.Skip(step);
        }
        var kind = statusMethod(step) == null ? TaskKind.COMPENSATE : TaskKind.STATUS;
        var task = tasks.beforeUndo(step, kind);
        if (task != null) {
            return task.isEnded() ? new Decision.TaskEnded(step, task) : waitFor(List.of(), now);
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
            if (!history.isDone() && step.stage() <= stage) {
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
            boolean undone = compensations.get(i).isDone();
            var step = workflow.steps().get(i);
            // Children may have been started by a step that is not done.
            boolean begun = step.work() instanceof Step.Children && !waits.isChildless(step);
            if ((executions.get(i).is(StepStatus.SUCCESS) || isMaybeDone(step) || begun) && !undone) {
                return step;
            }
        }
        return null;
    }

    /** Whether a step that did not succeed is undone all the same: nobody knows whether it took effect. */
    private boolean isMaybeDone(Step step) {
        return step.work() instanceof Step.Call call
                && call.compensate() != null
                && call.unknownOutcome() != Step.UnknownOutcome.IGNORE
                && executions.get(step.index()).isMaybeDone();
    }

    /** The method that says whether the step took effect, if that is to be asked before it is undone. */
    @Nullable
    String statusMethod(Step step) {
        return isMaybeDone(step) && step.work() instanceof Step.Call call ? call.status() : null;
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
            if (tasks.isOpen(step)) {
                continue; // its end wakes the saga
            }
            if (history.isRetrying() && step.work() instanceof Step.Call) {
                ends.add(history.retryAt());
            } else if (step.work() instanceof Step.Timer timer) {
                ends.add(rules.timerEnd(step, timer, reachedAt(step)));
            } else {
                ends.addAll(waits.ends(step));
            }
        }
        return new Decision.Wait(ends.stream()
                .map(end -> Duration.ofNanos(Math.max(0, end - now)))
                .min(Duration::compareTo)
                .orElse(null));
    }

    /** The end of all earlier stages. */
    private long reachedAt(Step step) {
        long began = saga.createdAt();
        for (var earlier : workflow.steps()) {
            if (earlier.stage() < step.stage()) {
                began = Math.max(began, doneAt.getOrDefault(earlier.index(), began));
            }
        }
        return began;
    }

    private AttemptHistory history(int step, StepAction action) {
        return (action == StepAction.EXECUTE ? executions : compensations).get(step);
    }
}
