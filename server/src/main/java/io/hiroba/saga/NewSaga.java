package io.hiroba.saga;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to start a saga.
 *
 * @param payload the input of its steps
 * @param initiatedBy given for built-in workflows only; otherwise it is the caller
 * @param traceparent the W3C trace context of the start, passed on to the services
 */
public record NewSaga(
        String workflowName,
        JsonNode payload,
        @Nullable String correlationId,
        @Nullable String initiatedBy,
        @Nullable String traceparent) {}
