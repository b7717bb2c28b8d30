package io.hiroba.saga.call;

import io.hiroba.saga.SagaId;
import io.hiroba.saga.StepAction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The call of one attempt at a step.
 *
 * @param timeout the longest wait for the answer
 * @param traceparent the trace context that the saga was started with, if any
 * @param kind STATUS asks about an execution and has its idempotency key, but attempts of its own
 * @param fence the fencing token of the saga's owner
 */
public record StepCall(
        SagaId saga,
        int stepIndex,
        String stepName,
        StepAction action,
        int attempt,
        String service,
        String method,
        JsonNode input,
        Duration timeout,
        @Nullable String traceparent,
        TaskKind kind,
        int fence) {

    /** The idempotency key: the same for every attempt, so that the service recognizes a repeat. */
    public String idempotencyKey() {
        return idempotencyKey(saga, stepIndex, action.name());
    }

    static String idempotencyKey(SagaId saga, int stepIndex, String action) {
        return saga + ":" + stepIndex + ":" + action;
    }
}
