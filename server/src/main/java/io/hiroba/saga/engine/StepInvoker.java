package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepCaller;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.TaskKind;
import io.hiroba.saga.workflow.InputMapping;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import io.hiroba.saga.workflow.RetryPolicy;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the services of a saga's steps. */
final class StepInvoker {

    private static final Logger log = LoggerFactory.getLogger(StepInvoker.class);

    static final int MAX_INPUT_SIZE = 1 << 20;

    private final StepCaller caller;
    private final NodeLease lease;
    private final FaultInjector faults;

    StepInvoker(StepCaller caller, NodeLease lease, FaultInjector faults) {
        this.caller = caller;
        this.lease = lease;
        this.faults = faults;
    }

    /**
     * An ended call.
     *
     * @param request null where the payload was sent
     */
    record Answered(Step step, @Nullable JsonNode request, StepOutcome outcome, Duration took) {}

    /** Thrown when this node's lease has expired, or it stops and the call waits: another node may drive the saga. */
    static final class LeaseEnded extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LeaseEnded() {
            super("the lease has ended", null, false, false);
        }
    }

    /** Resolves the input of a call. The returned call does not use {@code progress}, since several run in parallel. */
    Supplier<Answered> prepare(SagaProgress progress, Step step, StepAction action) {
        var work = (Step.Call) step.work();
        var execute = action == StepAction.EXECUTE;
        return prepare(
                progress,
                step,
                execute ? TaskKind.EXECUTE : TaskKind.COMPENSATE,
                String.valueOf(execute ? work.method() : work.compensate()));
    }

    /** As above, of another method: what is asked about an execution has its input and its key. */
    Supplier<Answered> prepare(SagaProgress progress, Step step, TaskKind kind, String method) {
        var action = kind == TaskKind.COMPENSATE ? StepAction.COMPENSATE : StepAction.EXECUTE;
        JsonNode request;
        try {
            var mapping = mapping((Step.Call) step.work(), action);
            request = mapping == null
                    ? null
                    : mapping.apply(progress.workflow().values(progress.saga().payload(), progress.answers()));
        } catch (MissingValue e) {
            var outcome = Failed.nonRetryable(e.reason());
            return () -> new Answered(step, null, outcome, Duration.ZERO);
        }
        if (request != null && JsonSize.exceeds(request, MAX_INPUT_SIZE)) {
            var outcome = Failed.nonRetryable(Text.of("saga.journal.input-too-large"));
            return () -> new Answered(step, null, outcome, Duration.ZERO);
        }
        var call = call(progress, step, action, kind, method, request);
        long owner = progress.saga().owner();
        // Steps that run in parallel have threads of their own, which know of no trace.
        var saga = TraceSpan.current();
        return () -> {
            long began = System.nanoTime();
            var span = SagaSpans.step(saga, call);
            var outcome = span.<StepOutcome, RuntimeException>call(() -> {
                var answered = storable(invoke(call, owner));
                SagaSpans.ended(span, answered);
                return answered;
            });
            return new Answered(step, request, outcome, Duration.ofNanos(System.nanoTime() - began));
        };
    }

    /** Takes the permits of the calls of {@code steps}, which are made at once. */
    StepCaller.Permit acquire(SagaProgress progress, List<Step> steps) {
        return caller.acquire(
                progress.id(),
                steps.stream().map(step -> ((Step.Call) step.work()).service()).toList(),
                steps.stream()
                        .map(StepInvoker::timeout)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO));
    }

    private static StepCall call(
            SagaProgress progress,
            Step step,
            StepAction action,
            TaskKind kind,
            String method,
            @Nullable JsonNode request) {
        var work = (Step.Call) step.work();
        var saga = progress.saga();
        return new StepCall(
                saga.id(),
                step.index(),
                step.name(),
                action,
                progress.tasks().nextAttempt(step, kind),
                work.service(),
                method,
                request == null ? saga.payload() : request,
                timeout(step),
                saga.traceparent(),
                kind,
                saga.fence());
    }

    private StepOutcome invoke(StepCall call, long owner) {
        if (!lease.holds(owner)) {
            throw new LeaseEnded();
        }
        faults.at(FaultInjector.Point.BEFORE_CALL);
        StepOutcome outcome;
        try {
            outcome = caller.call(call);
        } catch (LocalSagaStep.Left left) {
            throw new LeaseEnded();
        } catch (RuntimeException | Error e) {
            log.warn("the call of step {} of saga {} failed", call.stepName(), call.saga(), e);
            outcome = Failed.retryable(Text.of("saga.journal.call-broke")).asMaybeDone();
        }
        faults.at(FaultInjector.Point.AFTER_CALL);
        return outcome;
    }

    /** The delay after an attempt that ended just now; null if it was the last. */
    static @Nullable Duration retryIn(
            SagaProgress progress, Step step, StepAction action, @Nullable Duration requested) {
        RetryPolicy retry = step.retry();
        int attempt = progress.attemptsInRound(step, action) + 1;
        if (attempt >= retry.maxAttempts()) {
            return null;
        }
        var delay = retry.delayAfter(attempt, ThreadLocalRandom.current());
        return requested == null || requested.compareTo(delay) < 0 ? delay : requested;
    }

    private static @Nullable InputMapping mapping(Step.Call work, StepAction action) {
        return action == StepAction.COMPENSATE && work.compensateInput() != null
                ? work.compensateInput()
                : work.input();
    }

    /** The step's own timeout, even where the saga's ends before: the effect of an abandoned call could not be undone. */
    private static Duration timeout(Step step) {
        return step.timeout() == null ? Duration.ofSeconds(30) : step.timeout();
    }

    /** A step whose answer cannot be stored still succeeded, and is compensated if need be. */
    private static StepOutcome storable(StepOutcome outcome) {
        return outcome instanceof Done done && !StorableJson.isStorable(done.answer())
                ? new Done(JsonMapper.shared().nullNode())
                : outcome;
    }
}
