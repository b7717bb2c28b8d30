package io.hiroba.saga;

import io.hiroba.saga.SagaDetails.Cause;
import io.hiroba.saga.SagaDetails.StepDetails;
import io.hiroba.saga.SagaDetails.Wait;
import io.hiroba.saga.Transitions.StepPhase;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives the phase of each step, and the reasons why a saga waits, from its row and its log. */
final class StepPhases {

    private final Saga saga;
    private final @Nullable Workflow workflow;
    private final TreeMap<Integer, List<StepLog>> attempts = new TreeMap<>();
    private final int stage;
    private final int undoing;
    private final boolean hasTask;

    StepPhases(Saga saga, @Nullable Workflow workflow, List<StepLog> log) {
        this(saga, workflow, log, false);
    }

    /** @param hasTask whether a call is a task that a worker, or a service that answers later, has to end */
    StepPhases(Saga saga, @Nullable Workflow workflow, List<StepLog> log, boolean hasTask) {
        this.hasTask = hasTask;
        this.saga = saga;
        this.workflow = workflow;
        log.forEach(each -> attempts.computeIfAbsent(each.stepIndex(), index -> new ArrayList<>())
                .add(each));
        stage = workflow == null ? -1 : currentStage(workflow);
        undoing = nextToUndo();
    }

    /** The first stage with a step that is not done; -1 where there is none. */
    int stage() {
        return stage;
    }

    List<StepDetails> steps() {
        if (workflow == null) {
            return attempts.entrySet().stream()
                    .map(entry ->
                            details(entry.getKey(), entry.getValue().getFirst().stepName(), null))
                    .toList();
        }
        return workflow.steps().stream()
                .map(step -> details(step.index(), step.name(), step))
                .toList();
    }

    List<Wait> waits() {
        if (saga.status().isTerminal() || saga.running()) {
            return List.of();
        }
        if (saga.stuck()) {
            return List.of(new Wait(Cause.OPERATOR, null, null, null));
        }
        if (saga.status() == SagaStatus.STARTED && saga.wakeAt() == null) {
            return List.of(new Wait(Cause.PLACE, null, null, null));
        }
        var waits = new ArrayList<Wait>();
        for (var step : steps()) {
            var waiting = step.step();
            var last = step.attempts().isEmpty() ? null : step.attempts().getLast();
            if ((step.phase() == StepPhase.RETRYING || step.phase() == StepPhase.COMPENSATING)
                    && last != null
                    && last.retryAt() != null
                    && !hasTask
                    && (waiting == null || waiting.work() instanceof Step.Call)) {
                waits.add(new Wait(Cause.RETRY, step.name(), null, last.retryAt()));
            } else if (waiting != null && isCurrent(waiting) && waiting.work() instanceof Step.Signal signal) {
                waits.add(new Wait(Cause.SIGNAL, step.name(), signal.name(), ends(waiting)));
            } else if (waiting != null && isCurrent(waiting) && waiting.work() instanceof Step.Approval) {
                waits.add(new Wait(Cause.APPROVAL, step.name(), null, ends(waiting)));
            } else if (waiting != null && isCurrent(waiting) && waiting.work() instanceof Step.Timer) {
                waits.add(new Wait(Cause.TIMER, step.name(), null, saga.wakeAt()));
            } else if (waiting != null && waiting.work() instanceof Step.Children && waitsForChildren(waiting)) {
                waits.add(new Wait(Cause.CHILDREN, step.name(), null, isCurrent(waiting) ? ends(waiting) : null));
            }
        }
        if (waits.isEmpty() && hasTask) {
            var step = steps().stream()
                    .filter(each -> each.index() == saga.currentStep())
                    .map(StepDetails::name)
                    .findFirst();
            waits.add(new Wait(Cause.WORKER, step.orElse(null), null, null));
        }
        return waits.isEmpty() ? List.of(new Wait(Cause.NODE, null, null, saga.wakeAt())) : waits;
    }

    /** Going back, the last step with children that is not undone, unless it is known to have none. */
    private boolean waitsForChildren(Step step) {
        if (saga.status().isForward()) {
            return isCurrent(step);
        }
        return saga.wakeAt() == null && saga.currentStep() == step.index();
    }

    private StepDetails details(int index, String name, @Nullable Step step) {
        var tries = attempts.getOrDefault(index, List.of());
        return new StepDetails(index, name, step, phase(index, step, tries), tries);
    }

    private StepPhase phase(int index, @Nullable Step step, List<StepLog> tries) {
        if (tries.isEmpty()) {
            boolean executes = step != null
                    && isCurrent(step)
                    && (step.work() instanceof Step.Children
                            || ((saga.running() || hasTask) && step.work() instanceof Step.Call));
            return executes ? StepPhase.EXECUTING : StepPhase.PENDING;
        }
        var last = tries.getLast();
        if (step != null
                && step.work() instanceof Step.Children
                && last.action() == StepAction.EXECUTE
                && saga.status() == SagaStatus.COMPENSATING
                && saga.currentStep() == index) {
            return StepPhase.COMPENSATING;
        }
        return last.action() == StepAction.COMPENSATE ? undone(last) : executed(index, last);
    }

    private StepPhase undone(StepLog last) {
        return switch (last.status()) {
            case SUCCESS, SKIPPED -> StepPhase.COMPENSATED;
            case FAILED, TIMEOUT -> saga.stuck() && last.retryAt() == null ? StepPhase.STUCK : StepPhase.COMPENSATING;
        };
    }

    private StepPhase executed(int index, StepLog last) {
        return switch (last.status()) {
            case SKIPPED -> StepPhase.SKIPPED;
            case SUCCESS -> index == undoing && saga.running() ? StepPhase.COMPENSATING : StepPhase.DONE;
            case FAILED, TIMEOUT -> {
                if (index == undoing && saga.running()) {
                    yield StepPhase.COMPENSATING;
                }
                if (last.retryAt() == null || !saga.status().isForward()) {
                    yield StepPhase.FAILED;
                }
                // A node that works on the saga works on its only open step.
                yield saga.running() && !saga.updatedAt().isBefore(last.retryAt())
                        ? StepPhase.EXECUTING
                        : StepPhase.RETRYING;
            }
        };
    }

    private boolean isCurrent(@Nullable Step step) {
        return step != null && saga.status().isForward() && step.stage() == stage && !isDone(step.index());
    }

    /** The first stage with a step that is not done. */
    private int currentStage(Workflow known) {
        return known.steps().stream()
                .filter(step -> !isDone(step.index()))
                .mapToInt(Step::stage)
                .findFirst()
                .orElse(-1);
    }

    private boolean isDone(int index) {
        var last = last(index, StepAction.EXECUTE);
        return last == StepStatus.SUCCESS || last == StepStatus.SKIPPED;
    }

    /** Whether a step that did not succeed is undone all the same. */
    private boolean isMaybeDone(int index) {
        return workflow != null
                && index < workflow.steps().size()
                && workflow.steps().get(index).work() instanceof Step.Call call
                && call.compensate() != null
                && call.unknownOutcome() != Step.UnknownOutcome.IGNORE
                && attempts.getOrDefault(index, List.of()).stream().anyMatch(StepLog::maybeDone);
    }

    private @Nullable StepStatus last(int index, StepAction action) {
        return attempts.getOrDefault(index, List.of()).stream()
                .filter(each -> each.action() == action)
                .map(StepLog::status)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /** Whether an operator may say how the step, or its compensation, ended; null if neither. Children are resolved themselves. */
    @Nullable
    StepAction resolvable(Step step) {
        if (step.work() instanceof Step.Children) {
            return null;
        }
        if (saga.status().isForward()) {
            return step.stage() == stage && !isDone(step.index()) ? StepAction.EXECUTE : null;
        }
        return step.index() == undoing ? StepAction.COMPENSATE : null;
    }

    private int nextToUndo() {
        if (saga.status() != SagaStatus.COMPENSATING) {
            return -1;
        }
        for (var each : attempts.descendingMap().entrySet()) {
            int index = each.getKey();
            var undone = last(index, StepAction.COMPENSATE);
            if ((last(index, StepAction.EXECUTE) == StepStatus.SUCCESS || isMaybeDone(index))
                    && undone != StepStatus.SUCCESS
                    && undone != StepStatus.SKIPPED) {
                return index;
            }
        }
        return -1;
    }

    /** The end of the wait for a signal, whose time began with its stage. */
    private @Nullable Instant ends(Step step) {
        if (step.timeout() == null) {
            return null;
        }
        var began = attempts.values().stream()
                .flatMap(List::stream)
                .filter(each -> each.action() == StepAction.EXECUTE && stageOf(each) < step.stage())
                .map(StepLog::completedAt)
                .max(Instant::compareTo)
                .orElse(saga.createdAt());
        return began.plus(step.timeout());
    }

    private int stageOf(StepLog each) {
        return workflow == null || each.stepIndex() >= workflow.steps().size()
                ? -1
                : workflow.steps().get(each.stepIndex()).stage();
    }
}
