package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The state of a saga, also as JSON.
 *
 * @param currentStep the first step that is not completed; during compensation, the one being undone
 * @param payload null in lists, which leave it out
 * @param stuck whether it needs an operator
 * @param running whether a node works on it right now
 * @param wakeAt when it goes on by itself: it waits for a retry, a signal or a deadline until then
 */
public record Saga(
        SagaId id,
        String workflowName,
        int workflowVersion,
        int currentStep,
        SagaStatus status,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt) {}
