package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.TaskKind;
import io.hiroba.saga.engine.StepInvoker.Answered;
import io.hiroba.saga.workflow.Step;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Goes on with sagas whose tasks have ended. Each method returns whether there is more to do. */
final class TaskExecution {

    private final Db db;
    private final TaskStateStore store = new TaskStateStore();

    TaskExecution(Db db) {
        this.db = db;
    }

    boolean ended(SagaProgress progress, Step step, OpenTask task, Execution execution, Compensation compensation) {
        var outcome = Objects.requireNonNull(task.outcome());
        return switch (task.kind()) {
            case EXECUTE ->
                execution.record(
                        progress,
                        new Answered(
                                step,
                                task.request(),
                                progress.status().isForward() ? outcome : last(outcome),
                                task.took()),
                        0);
            case COMPENSATE -> compensation.undone(progress, new Answered(step, task.request(), outcome, task.took()));
            case STATUS -> compensation.asked(progress, new Answered(step, task.request(), outcome, task.took()));
        };
    }

    /** The outcome of an execution that nobody wants any more: it is not tried again, whatever is known of its effect. */
    private static StepOutcome last(StepOutcome outcome) {
        return switch (outcome) {
            case Failed failed -> new Failed(failed.reason(), true, null, failed.answer(), failed.maybeDone());
            case StepOutcome.TimedOut late -> Failed.nonRetryable(late.reason()).asMaybeDone();
            case StepOutcome.Done _, StepOutcome.Pending _ -> outcome;
        };
    }

    /** Takes the tasks of a saga that is being undone back from the queue; those that are carried out are let end. */
    boolean recall(SagaProgress progress) {
        var found = db.inTransaction(tx -> {
            if (!store.lock(tx, progress.id(), progress.saga().fence())) {
                return Optional.<List<OpenTask>>empty();
            }
            store.withdraw(tx, progress.id());
            var id = progress.id().value();
            return Optional.of(store.open(tx, List.of(id)).getOrDefault(id, List.of()));
        });
        found.ifPresent(progress::recalled);
        return found.isPresent();
    }

    /** Turns around a saga whose time is over while tasks are under way: each is let end. */
    boolean turn(SagaProgress progress, Driver driver, Step step, Text reason) {
        var from = progress.status();
        progress.undo();
        var error = Text.of("saga.journal.step-overdue", "step", step.name(), "reason", reason);
        return driver.write(progress, from, error, false, null);
    }

    /** The task of a call that was just begun. */
    static OpenTask begun(SagaProgress progress, Step step, TaskKind kind) {
        return OpenTask.begun(step.index(), kind, progress.tasks().nextAttempt(step, kind));
    }
}
