package io.hiroba.saga;

import org.jspecify.annotations.Nullable;

/**
 * A filter of the list of sagas; null matches everything.
 *
 * @param stuck only those that need an operator
 * @param waiting only those that wait for a signal or an approval
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck,
        boolean waiting) {

    /** The value of a status filter that stands for {@code waiting}: such a saga is STARTED or RUNNING. */
    public static final String WAITING = "WAITING";

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);

    public SagaFilter(
            @Nullable String workflowName, @Nullable SagaStatus status, @Nullable String correlationId, boolean stuck) {
        this(workflowName, status, correlationId, stuck, false);
    }
}
