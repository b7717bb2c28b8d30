package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.engine.Driver.Ended;
import io.hiroba.saga.engine.StepInvoker.Answered;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
        for (int running = steps.size() - 1; going && running >= 0; running--) {
            going = record(progress, answers.take().get(), running);
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

    boolean signalled(SagaProgress progress, Step step, JsonNode payload) {
        return record(progress, new Answered(step, null, new StepOutcome.Done(payload), Duration.ZERO), 0);
    }

    boolean overdue(SagaProgress progress, Step step, Text reason) {
        var from = progress.status();
        var log = driver.apply(
                progress,
                new Ended(step, StepAction.EXECUTE, StepStatus.TIMEOUT, null, null, reason, Duration.ZERO, null));
        progress.undo();
        return driver.write(
                progress,
                from,
                Text.of("saga.journal.step-overdue", "step", step.name(), "reason", reason),
                false,
                log);
    }

    /** Writes the outcome of a step while {@code running} others are under way. */
    boolean record(SagaProgress progress, Answered answered, int running) {
        var from = progress.status();
        var step = answered.step();
        int attempt = progress.attempts(step, StepAction.EXECUTE) + 1;
        var ended = switch (answered.outcome()) {
            case StepOutcome.Done done -> ended(answered, StepStatus.SUCCESS, done.answer(), null, null);
            case StepOutcome.Failed failed -> {
                var retryIn = failed.permanent() || !progress.retriesExecution()
                        ? null
                        : StepInvoker.retryIn(progress, step, StepAction.EXECUTE, failed.retryAfter());
                yield ended(answered, StepStatus.FAILED, null, failed.reason(), retryIn);
            }
            case StepOutcome.TimedOut late -> {
                var retryIn = progress.retriesExecution()
                        ? StepInvoker.retryIn(progress, step, StepAction.EXECUTE, null)
                        : null;
                yield ended(answered, StepStatus.TIMEOUT, null, late.reason(), retryIn);
            }
        };
        var log = driver.apply(progress, ended);
        Text error = null;
        var reason = ended.error();
        if (ended.status() == StepStatus.SUCCESS) {
            progress.stepDone();
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

    private static Ended ended(
            Answered answered,
            StepStatus status,
            @Nullable JsonNode answer,
            @Nullable Text error,
            @Nullable Duration retryIn) {
        return new Ended(
                answered.step(),
                StepAction.EXECUTE,
                status,
                answered.request(),
                answer,
                error,
                answered.took(),
                retryIn);
    }
}
