package io.hiroba.saga.live;

import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A saga as the stream shows it. */
record SagaEvent(
        String id,
        String workflowName,
        int workflowVersion,
        int currentStep,
        SagaStatus status,
        JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt) {

    static SagaEvent of(Saga saga) {
        return new SagaEvent(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                saga.currentStep(),
                saga.status(),
                saga.payload(),
                saga.correlationId(),
                saga.initiatedBy(),
                saga.errorMessage(),
                saga.stuck(),
                saga.running(),
                saga.wakeAt(),
                saga.createdAt(),
                saga.updatedAt());
    }
}
