package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.TaskKind;
import io.hiroba.saga.engine.StepInvoker.Answered;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Executes a saga's steps. Each method returns whether there is more to do. */
final class Execution {

    private final Driver driver;
    private final StepInvoker calls;

    Execution(Driver driver, StepInvoker calls) {
        this.driver = driver;
        this.calls = calls;
    }

    /** Calls the services of {@code steps} in parallel, and writes each outcome as it comes. */
    boolean run(SagaProgress progress, List<Step> steps) throws InterruptedException {
        if (steps.size() == 1) {
            return record(
                    progress,
                    calls.prepare(progress, steps.getFirst(), StepAction.EXECUTE)
                            .get(),
                    0);
        }
        BlockingQueue<Supplier<Answered>> answers = new LinkedBlockingQueue<>();
        for (var step : steps) {
            var call = calls.prepare(progress, step, StepAction.EXECUTE);
            Thread.startVirtualThread(() -> answers.add(answered(call)));
        }
        boolean going = true;
        StepInvoker.LeaseEnded left = null;
        for (int running = steps.size() - 1; going && running >= 0; running--) {
            var answer = answers.take();
            try {
                // One that is left to another node runs on.
                going = record(progress, answer.get(), left == null ? running : running + 1);
            } catch (StepInvoker.LeaseEnded e) {
                left = e;
            }
        }
        if (left != null) {
            throw left;
        }
        return going;
    }

    private static Supplier<Answered> answered(Supplier<Answered> call) {
        try {
            var answered = call.get();
            return () -> answered;
        } catch (RuntimeException | Error e) {
            return () -> {
                throw e;
            };
        }
    }

    /** Goes on after the assignees of a step were asked, unless that failed or another node owns the saga. */
    boolean asked(SagaProgress progress, Step step, ApprovalRequests.Asked asked) {
        return switch (asked) {
            case ApprovalRequests.Open open -> {
                progress.waits().asked(step, open.reminded());
                yield true;
            }
            case ApprovalRequests.Unanswerable unanswerable -> refused(progress, step, unanswerable.reason());
            case ApprovalRequests.Lost _ -> false;
        };
    }

    boolean signalled(SagaProgress progress, Step step, JsonNode payload) {
        if (step.work() instanceof Step.Approval && !payload.path("approved").asBoolean(false)) {
            return refused(progress, step, ApprovalRequests.refusal(payload));
        }
        return record(progress, new Answered(step, null, new StepOutcome.Done(payload), Duration.ZERO), 0);
    }

    boolean elapsed(SagaProgress progress, Step step) {
        var nothing = JsonMapper.shared().nullNode();
        return record(progress, new Answered(step, null, new StepOutcome.Done(nothing), Duration.ZERO), 0);
    }

    boolean leaveOut(SagaProgress progress, Step step) {
        var from = progress.status();
        var log = driver.apply(
                progress,
                new EndedAttempt(step, StepAction.EXECUTE, StepStatus.SKIPPED, null, null, null, Duration.ZERO, null));
        return driver.write(progress, from, null, false, log);
    }

    boolean fail(SagaProgress progress, Step step, Text reason) {
        return record(progress, new Answered(step, null, StepOutcome.Failed.nonRetryable(reason), Duration.ZERO), 0);
    }

    boolean overdue(SagaProgress progress, Step step, Text reason) {
        var error = Text.of("saga.journal.step-overdue", "step", step.name(), "reason", reason);
        return failed(progress, step, StepStatus.TIMEOUT, reason, error);
    }

    /** As above, unless the signal has come since the saga was claimed. */
    boolean expired(SagaProgress progress, Step step, Step.Signal signal, Text reason) {
        var from = progress.status();
        var error = Text.of("saga.journal.step-overdue", "step", step.name(), "reason", reason);
        var log = turned(progress, step, StepStatus.TIMEOUT, reason);
        return driver.writeUnlessSignalled(progress, from, error, log, signal);
    }

    private boolean refused(SagaProgress progress, Step step, Text reason) {
        var error = Text.of("saga.journal.step-failed", "step", step.name(), "reason", reason);
        return failed(progress, step, StepStatus.FAILED, reason, error);
    }

    private boolean failed(SagaProgress progress, Step step, StepStatus status, Text reason, Text error) {
        var from = progress.status();
        return driver.write(progress, from, error, false, turned(progress, step, status, reason));
    }

    private SagaChange.LogEntry turned(SagaProgress progress, Step step, StepStatus status, Text reason) {
        var log = driver.apply(
                progress, new EndedAttempt(step, StepAction.EXECUTE, status, null, null, reason, Duration.ZERO, null));
        progress.undo();
        return log;
    }

    /** Writes the outcome of a step while {@code running} others are under way. */
    boolean record(SagaProgress progress, Answered answered, int running) {
        var from = progress.status();
        var step = answered.step();
        if (answered.outcome() instanceof StepOutcome.Pending) {
            progress.begun(TaskExecution.begun(progress, step, TaskKind.EXECUTE));
            return running > 0 || driver.write(progress, from, null, false, null);
        }
        int attempt = progress.attempts(step, StepAction.EXECUTE) + 1;
        Text unmapped = null;
        var ended = switch (answered.outcome()) {
            case StepOutcome.Done done -> {
                var output = StepOutput.of(progress, step, done.answer());
                unmapped = output.failure();
                yield EndedAttempt.done(answered, StepAction.EXECUTE, output.answer());
            }
            case StepOutcome.Failed failed -> {
                var retryIn = failed.permanent() || !progress.retriesExecution()
                        ? null
                        : StepInvoker.retryIn(progress, step, StepAction.EXECUTE, failed.retryAfter());
                yield EndedAttempt.failed(answered, StepAction.EXECUTE, failed, retryIn);
            }
            case StepOutcome.TimedOut late -> {
                var retryIn = progress.retriesExecution()
                        ? StepInvoker.retryIn(progress, step, StepAction.EXECUTE, null)
                        : null;
                yield EndedAttempt.failed(answered, StepAction.EXECUTE, late, retryIn);
            }
            case StepOutcome.Pending _ -> throw new IllegalStateException("it has not ended");
        };
        var log = driver.apply(progress, ended);
        Text error = null;
        var reason = ended.error();
        if (unmapped != null && progress.status().isForward()) {
            progress.undo();
            error = Text.of("saga.journal.step-failed", "step", step.name(), "reason", unmapped);
        } else if (ended.retryIn() == null
                && reason != null
                && progress.status().isForward()) {
            progress.undo();
            error = Text.of("saga.journal.step-gave-up", "step", step.name(), "attempts", attempt, "reason", reason);
        }
        return running > 0
                ? driver.writePartial(progress, from, error, log)
                : driver.write(progress, from, error, false, log);
    }
}
