package io.hiroba.saga.engine;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of the sagas that this node starts and works on. */
final class SagaMetrics {

    /** Names of workflows beyond these are counted together: each is a label, and people choose them. */
    static final int MAX_WORKFLOWS = 100;

    private static final String OTHER = "other";

    private final MeterRegistry meters;
    private final Set<String> workflows = ConcurrentHashMap.newKeySet();
    private final Map<String, Counter> started = new ConcurrentHashMap<>();
    private final Map<String, Counter> retries = new ConcurrentHashMap<>();
    private final Map<StepLabels, Timer> steps = new ConcurrentHashMap<>();
    private final Timer claimLag;

    private record StepLabels(String workflow, StepAction action, StepStatus status) {}

    /** @param running the number of sagas that this node works on */
    SagaMetrics(MeterRegistry meters, AtomicInteger running) {
        this.meters = meters;
        claimLag = Timer.builder("hiroba.sagas.claim.lag")
                .description("How long sagas that this node claimed had been due")
                .register(meters);
        Gauge.builder("hiroba.sagas.running", running, AtomicInteger::get)
                .description("Sagas that this node works on")
                .strongReference(true)
                .register(meters);
    }

    void started(String workflow) {
        started.computeIfAbsent(
                        label(workflow),
                        name -> Counter.builder("hiroba.sagas.started")
                                .description("Sagas started by this node")
                                .tag("workflow", name)
                                .register(meters))
                .increment();
    }

    /** A saga ended, which is rare beside its steps. */
    void ended(String workflow, SagaStatus status) {
        Counter.builder("hiroba.sagas.ended")
                .description("Sagas that ended on this node")
                .tag("workflow", label(workflow))
                .tag("status", word(status))
                .register(meters)
                .increment();
    }

    void stuck(String workflow) {
        Counter.builder("hiroba.sagas.halted")
                .description("Sagas that this node left for an operator")
                .tag("workflow", label(workflow))
                .register(meters)
                .increment();
    }

    void stepEnded(String workflow, EndedAttempt ended) {
        var name = label(workflow);
        steps.computeIfAbsent(new StepLabels(name, ended.action(), ended.status()), this::timer)
                .record(ended.took());
        if (ended.retryIn() != null) {
            retries.computeIfAbsent(
                            name,
                            each -> Counter.builder("hiroba.sagas.retries")
                                    .description("Attempts at steps that failed on this node and are made again")
                                    .tag("workflow", each)
                                    .register(meters))
                    .increment();
        }
    }

    private Timer timer(StepLabels step) {
        return Timer.builder("hiroba.sagas.steps")
                .description("Attempts at steps that ended on this node")
                .tag("workflow", step.workflow())
                .tag("action", word(step.action()))
                .tag("outcome", word(step.status()))
                .register(meters);
    }

    void claimed(Duration late) {
        claimLag.record(late);
    }

    private String label(String workflow) {
        if (workflows.contains(workflow)) {
            return workflow;
        }
        if (workflows.size() >= MAX_WORKFLOWS) {
            return OTHER;
        }
        workflows.add(workflow);
        return workflow;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
