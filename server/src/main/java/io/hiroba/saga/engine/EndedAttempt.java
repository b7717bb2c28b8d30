package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An attempt that has ended, before it is logged. */
record EndedAttempt(
        Step step,
        StepAction action,
        StepStatus status,
        @Nullable JsonNode request,
        @Nullable JsonNode answer,
        @Nullable Text error,
        Duration took,
        @Nullable Duration retryIn,
        @Nullable JsonNode responseHead,
        boolean maybeDone) {

    EndedAttempt(
            Step step,
            StepAction action,
            StepStatus status,
            @Nullable JsonNode request,
            @Nullable JsonNode answer,
            @Nullable Text error,
            Duration took,
            @Nullable Duration retryIn) {
        this(step, action, status, request, answer, error, took, retryIn, null, false);
    }

    /** The end of a call that succeeded. */
    static EndedAttempt done(StepInvoker.Answered answered, StepAction action, @Nullable JsonNode answer) {
        return new EndedAttempt(
                answered.step(),
                action,
                StepStatus.SUCCESS,
                answered.request(),
                answer,
                null,
                answered.took(),
                null,
                answered.outcome() instanceof StepOutcome.Done done ? done.head() : null,
                false);
    }

    /** The end of a call that did not succeed. */
    static EndedAttempt failed(
            StepInvoker.Answered answered, StepAction action, StepOutcome outcome, @Nullable Duration retryIn) {
        return switch (outcome) {
            case StepOutcome.Failed failed -> {
                var kept = failed.answer();
                yield new EndedAttempt(
                        answered.step(),
                        action,
                        StepStatus.FAILED,
                        answered.request(),
                        kept == null ? null : kept.body(),
                        failed.reason(),
                        answered.took(),
                        retryIn,
                        kept == null ? null : kept.head(),
                        failed.maybeDone());
            }
            case StepOutcome.TimedOut late ->
                new EndedAttempt(
                        answered.step(),
                        action,
                        StepStatus.TIMEOUT,
                        answered.request(),
                        null,
                        late.reason(),
                        answered.took(),
                        retryIn,
                        null,
                        true);
            case StepOutcome.Done _, StepOutcome.Pending _ -> throw new IllegalArgumentException("it did not fail");
        };
    }

    /** The end of a question whether a step took effect: it did not, so that there is nothing to undo. */
    static EndedAttempt notDone(StepInvoker.Answered answered, StepOutcome.Failed failed) {
        var kept = failed.answer();
        return new EndedAttempt(
                answered.step(),
                StepAction.COMPENSATE,
                StepStatus.SKIPPED,
                answered.request(),
                kept == null ? null : kept.body(),
                null,
                answered.took(),
                null,
                kept == null ? null : kept.head(),
                false);
    }

    /** Whether it failed and is not retried. */
    boolean gaveUp() {
        return error != null && retryIn == null;
    }
}
