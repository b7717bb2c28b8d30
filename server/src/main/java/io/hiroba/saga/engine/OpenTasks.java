package io.hiroba.saga.engine;

import io.hiroba.saga.StepAction;
import io.hiroba.saga.call.TaskKind;
import io.hiroba.saga.workflow.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tasks of a saga whose attempts are not logged yet, as its driver knows them. */
final class OpenTasks {

    private final ToIntBiFunction<Integer, StepAction> attempts;
    private final List<OpenTask> tasks = new ArrayList<>();

    /** Whether the queue was asked for them back: what is open now is being carried out. */
    private boolean isRecalled;

    /** @param attempts how many attempts at a step are logged */
    OpenTasks(List<OpenTask> found, ToIntBiFunction<Integer, StepAction> attempts) {
        this.attempts = attempts;
        tasks.addAll(found);
    }

    /** The task of the next attempt, if there is one. */
    @Nullable
    OpenTask find(Step step, TaskKind kind) {
        int next = nextAttempt(step, kind);
        for (var task : tasks) {
            if (task.step() == step.index() && task.kind() == kind && task.attempt() == next) {
                return task;
            }
        }
        return null;
    }

    /** The task that the undoing of a step waits for, or goes on by: whoever is at its execution is let end first. */
    @Nullable
    OpenTask beforeUndo(Step step, TaskKind kind) {
        for (var task : tasks) {
            if (task.step() == step.index() && task.kind() == TaskKind.EXECUTE && !task.isEnded()) {
                return task;
            }
        }
        return find(step, kind);
    }

    /** The number of the next attempt; questions are counted with the compensation that they come before. */
    int nextAttempt(Step step, TaskKind kind) {
        var action = kind == TaskKind.EXECUTE ? StepAction.EXECUTE : StepAction.COMPENSATE;
        return attempts.applyAsInt(step.index(), action) + 1;
    }

    /** The first of the steps whose execution is a task that has ended. */
    @Nullable
    Decision ended(List<Step> steps) {
        for (var step : steps) {
            var task = find(step, TaskKind.EXECUTE);
            if (task != null && task.isEnded()) {
                return new Decision.TaskEnded(step, task);
            }
        }
        return null;
    }

    /** The steps whose next execution is a task, ended or not. */
    Set<Integer> executions(List<Step> steps) {
        return steps.stream()
                .filter(step -> find(step, TaskKind.EXECUTE) != null)
                .map(Step::index)
                .collect(Collectors.toSet());
    }

    /** Whether the step has a task of any kind that has not ended. */
    boolean isUnderWay(Step step) {
        return Stream.of(TaskKind.values())
                .map(kind -> find(step, kind))
                .anyMatch(task -> task != null && !task.isEnded());
    }

    /** Whether the execution of the step is a task that has not ended. */
    boolean isOpen(Step step) {
        var task = find(step, TaskKind.EXECUTE);
        return task != null && !task.isEnded();
    }

    boolean isRecalled() {
        return isRecalled;
    }

    void begun(OpenTask task) {
        isRecalled = false;
        tasks.add(task);
    }

    /** Takes over what there is after the queue was asked; the steps whose tasks never came to be. */
    Set<Integer> recalled(List<OpenTask> found) {
        isRecalled = true;
        var gone = new HashSet<Integer>();
        tasks.stream().filter(task -> task.kind() == TaskKind.EXECUTE).forEach(task -> gone.add(task.step()));
        tasks.clear();
        tasks.addAll(found);
        tasks.forEach(task -> gone.remove(task.step()));
        return gone;
    }
}
