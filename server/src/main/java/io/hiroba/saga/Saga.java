package io.hiroba.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A saga as it is shown.
 *
 * @param currentStep the first step that is not completed; while it is undone, the one that is
 * @param stuck whether it waits for a person
 * @param wakeAt when it goes on by itself: it waits for a retry, a signal or a deadline until then
 * @param running whether a node works on it right now
 */
public record Saga(
        SagaId id,
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
        Instant updatedAt) {}
