package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.engine.Driver.Ended;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compensates a saga's steps, one at a time. Each method returns whether there is more to do. */
final class Compensation {

    private final Driver driver;
    private final StepInvoker calls;

    Compensation(Driver driver, StepInvoker calls) {
        this.driver = driver;
        this.calls = calls;
    }

    boolean run(SagaProgress progress, Step step) {
        var answered = calls.prepare(progress, step, StepAction.COMPENSATE).get();
        int attempt = progress.attempts(step, StepAction.COMPENSATE) + 1;
        return switch (answered.outcome()) {
            case StepOutcome.Done done ->
                record(progress, ended(answered, StepStatus.SUCCESS, done.answer(), null, null), attempt);
            case StepOutcome.Failed failed -> {
                var retryIn = failed.permanent()
                        ? null
                        : StepInvoker.retryIn(progress, step, StepAction.COMPENSATE, failed.retryAfter());
                yield record(progress, ended(answered, StepStatus.FAILED, null, failed.reason(), retryIn), attempt);
            }
            case StepOutcome.TimedOut late -> {
                var retryIn = StepInvoker.retryIn(progress, step, StepAction.COMPENSATE, null);
                yield record(progress, ended(answered, StepStatus.TIMEOUT, null, late.reason(), retryIn), attempt);
            }
        };
    }

    boolean skip(SagaProgress progress, Step step) {
        return record(
                progress,
                new Ended(step, StepAction.COMPENSATE, StepStatus.SKIPPED, null, null, null, Duration.ZERO, null),
                1);
    }

    /** Writes the outcome of an attempt at undoing a step. */
    boolean record(SagaProgress progress, Ended ended, int attempt) {
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

    private static Ended ended(
            StepInvoker.Answered answered,
            StepStatus status,
            @Nullable JsonNode answer,
            @Nullable Text error,
            @Nullable Duration retryIn) {
        return new Ended(
                answered.step(),
                StepAction.COMPENSATE,
                status,
                answered.request(),
                answer,
                error,
                answered.took(),
                retryIn);
    }
}
