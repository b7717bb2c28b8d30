package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The state of a saga.
 *
 * @param currentStep the first step that is not completed; during compensation, the one being undone
 * @param payload null in lists, which leave it out
 * @param stuck whether it needs an operator
 * @param running whether a node works on it right now
 * @param waitingFor the signal, or the step with an approval, that it waits for; null for neither
 * @param wakeAt when it goes on by itself: it waits for a retry, a signal or a deadline until then
 * @param priority 0 to 9, as of {@link NewSaga}
 */
public record Saga(
        SagaId id,
        String workflowName,
        int workflowVersion,
        int currentStep,
        SagaStatus status,
        @Nullable JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable Text errorMessage,
        boolean stuck,
        boolean running,
        @Nullable Instant wakeAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String waitingFor,
        int priority) {}
