package io.hiroba.saga;

import org.jspecify.annotations.Nullable;

/**
 * A filter of the list of sagas; null matches everything.
 *
 * @param stuck only those that need an operator
 * @param parent only those that this saga started
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck,
        @Nullable SagaId parent) {

    public SagaFilter(
            @Nullable String workflowName, @Nullable SagaStatus status, @Nullable String correlationId, boolean stuck) {
        this(workflowName, status, correlationId, stuck, null);
    }

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);
}
