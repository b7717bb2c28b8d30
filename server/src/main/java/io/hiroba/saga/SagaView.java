package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.config.Durations;
import io.hiroba.platform.i18n.Language;
import io.hiroba.saga.workflow.Step;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A saga with its steps as JSON. */
record SagaView(
        String id,
        String workflowName,
        int workflowVersion,
        SagaStatus status,
        int currentStep,
        @Nullable JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String waitingFor,
        List<SagaDetails.Wait> waits,
        List<StepView> steps,
        int attemptsLeftOut) {

    static SagaView of(SagaDetails details, Language language) {
        var saga = details.saga();
        var error = saga.errorMessage();
        return new SagaView(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                saga.status(),
                saga.currentStep(),
                saga.payload(),
                saga.correlationId(),
                saga.initiatedBy(),
                error == null ? null : error.in(language),
                saga.stuck(),
                saga.running(),
                saga.wakeAt(),
                saga.createdAt(),
                saga.updatedAt(),
                saga.waitingFor(),
                details.waits(),
                details.steps().stream()
                        .map(step -> StepView.of(step, language))
                        .toList(),
                details.attemptsLeftOut());
    }

    /** A step with its phase and its attempts. */
    record StepView(
            int index,
            @Nullable Integer stage,
            String name,
            Transitions.StepPhase phase,
            @Nullable String service,
            @Nullable String method,
            @Nullable String compensate,
            @Nullable String waitForSignal,
            boolean approval,
            @Nullable String timeout,
            List<AttemptView> attempts) {

        static StepView of(SagaDetails.StepDetails details, Language language) {
            var step = details.step();
            var call = step != null && step.work() instanceof Step.Call found ? found : null;
            var timeout = step == null ? null : step.timeout();
            return new StepView(
                    details.index(),
                    step == null ? null : step.stage(),
                    details.name(),
                    details.phase(),
                    call == null ? null : call.service(),
                    call == null ? null : call.method(),
                    call == null ? null : call.compensate(),
                    step != null && step.work() instanceof Step.Signal signal ? signal.name() : null,
                    step != null && step.work() instanceof Step.Approval,
                    timeout == null ? null : Durations.text(timeout),
                    details.attempts().stream()
                            .map(attempt -> AttemptView.ofStep(attempt, language))
                            .toList());
        }
    }

    /** A saga without its steps as JSON, in lists also without its payload. */
    record Summary(
            SagaId id,
            String workflowName,
            int workflowVersion,
            int currentStep,
            SagaStatus status,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            JsonNode payload,

            @Nullable String correlationId,
            @Nullable String initiatedBy,
            @Nullable String errorMessage,
            boolean stuck,
            boolean running,
            @Nullable Instant wakeAt,
            Instant createdAt,
            Instant updatedAt,
            @Nullable String waitingFor) {

        static Summary of(Saga saga, Language language) {
            var error = saga.errorMessage();
            return new Summary(
                    saga.id(),
                    saga.workflowName(),
                    saga.workflowVersion(),
                    saga.currentStep(),
                    saga.status(),
                    saga.payload(),
                    saga.correlationId(),
                    saga.initiatedBy(),
                    error == null ? null : error.in(language),
                    saga.stuck(),
                    saga.running(),
                    saga.wakeAt(),
                    saga.createdAt(),
                    saga.updatedAt(),
                    saga.waitingFor());
        }
    }
}
