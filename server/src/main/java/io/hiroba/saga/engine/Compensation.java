package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.TaskKind;
import io.hiroba.saga.engine.StepInvoker.Answered;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;

/** Compensates a saga's steps, one at a time. Each method returns whether there is more to do. */
final class Compensation {

    private final Driver driver;
    private final StepInvoker calls;

    Compensation(Driver driver, StepInvoker calls) {
        this.driver = driver;
        this.calls = calls;
    }

    boolean run(SagaProgress progress, Step step) {
        var status = progress.statusMethod(step);
        if (status != null) {
            return ask(progress, step, status);
        }
        return undone(
                progress, calls.prepare(progress, step, StepAction.COMPENSATE).get());
    }

    boolean undone(SagaProgress progress, Answered answered) {
        return answered.outcome() instanceof StepOutcome.Pending
                ? begun(progress, answered.step(), TaskKind.COMPENSATE)
                : ended(progress, answered, StepAction.COMPENSATE);
    }

    private boolean begun(SagaProgress progress, Step step, TaskKind kind) {
        progress.begun(TaskExecution.begun(progress, step, kind));
        return driver.write(progress, progress.status(), null, false, null);
    }

    /**
     * Asks whether a step took effect: an answer is that of the step, which is undone then, and 404 means that there is
     * nothing to undo. Where the service cannot say, it is asked again, and in the end an operator is.
     */
    private boolean ask(SagaProgress progress, Step step, String method) {
        return asked(
                progress, calls.prepare(progress, step, TaskKind.STATUS, method).get());
    }

    boolean asked(SagaProgress progress, Answered answered) {
        var step = answered.step();
        if (answered.outcome() instanceof StepOutcome.Pending) {
            return begun(progress, step, TaskKind.STATUS);
        }
        return (answered.outcome() instanceof StepOutcome.Failed failed && isUnknownThere(failed))
                ? record(progress, EndedAttempt.notDone(answered, failed), 1)
                : ended(progress, answered, StepAction.EXECUTE);
    }

    /** @param succeeded the action that an answer completes; a failure is one of the compensation */
    private boolean ended(SagaProgress progress, Answered answered, StepAction succeeded) {
        var step = answered.step();
        int attempt = progress.attempts(step, StepAction.COMPENSATE) + 1;
        return switch (answered.outcome()) {
            case StepOutcome.Done done ->
                record(progress, EndedAttempt.done(answered, succeeded, done.answer()), attempt);
            case StepOutcome.Failed failed -> {
                var retryIn = failed.permanent()
                        ? null
                        : StepInvoker.retryIn(progress, step, StepAction.COMPENSATE, failed.retryAfter());
                yield record(progress, EndedAttempt.failed(answered, StepAction.COMPENSATE, failed, retryIn), attempt);
            }
            case StepOutcome.TimedOut late -> {
                var retryIn = StepInvoker.retryIn(progress, step, StepAction.COMPENSATE, null);
                yield record(progress, EndedAttempt.failed(answered, StepAction.COMPENSATE, late, retryIn), attempt);
            }
            case StepOutcome.Pending _ -> throw new IllegalStateException("it has not ended");
        };
    }

    private static boolean isUnknownThere(StepOutcome.Failed failed) {
        var answer = failed.answer();
        var status = answer == null ? "" : answer.head().path("status").asString("");
        return status.equals("404") || status.equals("NOT_FOUND");
    }

    boolean skip(SagaProgress progress, Step step) {
        return record(
                progress,
                new EndedAttempt(
                        step, StepAction.COMPENSATE, StepStatus.SKIPPED, null, null, null, Duration.ZERO, null),
                1);
    }

    /** Writes the outcome of an attempt at undoing a step. */
    boolean record(SagaProgress progress, EndedAttempt ended, int attempt) {
        var from = progress.status();
        var log = driver.apply(progress, ended);
        var reason = ended.error();
        boolean stuck = reason != null && ended.retryIn() == null;
        var error = reason == null || !stuck
                ? null
                : Text.of(
                        "saga.journal.step-not-undone",
                        "step",
                        ended.step().name(),
                        "attempts",
                        attempt,
                        "reason",
                        reason);
        return driver.write(progress, from, error, stuck, log);
    }
}
