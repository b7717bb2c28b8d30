package io.hiroba.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A saga as JSON in a list. */
record SagaSummaryView(
        String id,
        String workflowName,
        int workflowVersion,
        SagaStatus status,
        int currentStep,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt) {

    static SagaSummaryView of(SagaSummary saga) {
        return new SagaSummaryView(
                saga.id().toString(),
                saga.workflowName(),
                saga.workflowVersion(),
                saga.status(),
                saga.currentStep(),
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
