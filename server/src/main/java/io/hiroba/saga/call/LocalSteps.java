package io.hiroba.saga.call;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.TimedOut;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The registry of local steps, which this program carries out itself, by service and method. A step that exceeds its timeout
 * is interrupted.
 */
public final class LocalSteps implements StepCaller, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LocalSteps.class);

    private final Map<String, Map<String, LocalStepHandler>> services = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor watch;
    private volatile boolean stopping;

    public LocalSteps() {
        watch = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("local step watch").factory());
        watch.setRemoveOnCancelPolicy(true);
    }

    public LocalSteps register(String service, String method, LocalStepHandler step) {
        services.computeIfAbsent(service, name -> new ConcurrentHashMap<>()).put(method, step);
        return this;
    }

    /** Adds a step that a feature carries out. */
    public LocalSteps register(LocalSagaStep step) {
        return register(
                step.service(),
                step.method(),
                call -> step.body()
                        .apply(new LocalSagaStep.Call(
                                call.saga().value(),
                                call.idempotencyKey(),
                                call.input(),
                                call.timeout(),
                                () -> stopping)));
    }

    /** Has steps that wait leave their calls to other nodes. */
    void stopping() {
        stopping = true;
    }

    public boolean has(String service) {
        return services.containsKey(service);
    }

    Set<String> services() {
        return services.keySet();
    }

    @Override
    public StepOutcome call(StepCall call) {
        var step = services.getOrDefault(call.service(), Map.of()).get(call.method());
        if (step == null) {
            return Failed.nonRetryable(
                    Text.of("saga.journal.no-method", "service", call.service(), "method", call.method()));
        }
        var late = new AtomicBoolean();
        var interrupted = new AtomicBoolean();
        var caller = Thread.currentThread();
        var alarm = watch.schedule(
                () -> {
                    late.set(true);
                    caller.interrupt();
                    interrupted.set(true);
                },
                call.timeout().toNanos(),
                TimeUnit.NANOSECONDS);
        try {
            var answer = step.run(call);
            return new Done(answer == null ? JsonMapper.shared().nullNode() : answer);
        } catch (LocalStepHandler.Refusal e) {
            return Failed.nonRetryable(Text.verbatim(String.valueOf(e.getMessage())));
        } catch (LocalSagaStep.Refusal e) {
            return Failed.nonRetryable(e.reason());
        } catch (LocalSagaStep.Left left) {
            throw left;
        } catch (Exception | Error e) {
            if (late.get()) {
                return new TimedOut(Text.of("saga.journal.step-too-long", "time", DurationText.text(call.timeout())));
            }
            log.warn("step {} of saga {} failed", call.stepName(), call.saga(), e);
            return Failed.retryable(Text.of("saga.journal.step-broke")).asMaybeDone();
        } finally {
            silence(alarm.cancel(false), interrupted);
        }
    }

    /** Clears an interruption that came after the step's end. */
    private static void silence(boolean cancelled, AtomicBoolean interrupted) {
        if (!cancelled) {
            while (!interrupted.get()) {
                Thread.onSpinWait();
            }
            Thread.interrupted();
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}
