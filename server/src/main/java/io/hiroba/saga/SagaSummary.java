package io.hiroba.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A saga as it stands in a list: without its payload.
 *
 * @param currentStep the first step that is not completed; while it is undone, the one that is
 * @param stuck whether it waits for a person
 * @param running whether a node works on it right now
 * @param wakeAt when it goes on by itself: it waits for a retry, a signal or a deadline until then
 */
public record SagaSummary(
        SagaId id,
        String workflowName,
        int workflowVersion,
        int currentStep,
        SagaStatus status,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt) {}
