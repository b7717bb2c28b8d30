package io.hiroba.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A filter of the list of sagas; null matches everything.
 *
 * @param stuck only those that need an operator
 * @param from only those that were started then or later
 * @param to only those that were started before that
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck,
        @Nullable Instant from,
        @Nullable Instant to) {

    public SagaFilter(
            @Nullable String workflowName, @Nullable SagaStatus status, @Nullable String correlationId, boolean stuck) {
        this(workflowName, status, correlationId, stuck, null, null);
    }

    SagaFilter withStatus(SagaStatus other) {
        return new SagaFilter(workflowName, other, correlationId, stuck, from, to);
    }

    SagaFilter withWorkflow(String other) {
        return new SagaFilter(other, status, correlationId, stuck, from, to);
    }

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);
}
