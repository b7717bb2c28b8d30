package io.hiroba.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A filter of the list of sagas; null matches everything.
 *
 * @param stuck only those that need an operator
 * @param waiting only those that wait for a signal or an approval
 * @param from only those that were started then or later
 * @param to only those that were started before that
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck,
        boolean waiting,
        @Nullable Instant from,
        @Nullable Instant to) {

    /** The value of a status filter that stands for {@code waiting}: such a saga is STARTED or RUNNING. */
    public static final String WAITING = "WAITING";

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);

    public SagaFilter(
            @Nullable String workflowName,
            @Nullable SagaStatus status,
            @Nullable String correlationId,
            boolean stuck) {
        this(workflowName, status, correlationId, stuck, false, null, null);
    }

    SagaFilter withStatus(@Nullable SagaStatus other) {
        return new SagaFilter(workflowName, other, correlationId, stuck, waiting, from, to);
    }

    SagaFilter withWorkflow(@Nullable String other) {
        return new SagaFilter(other, status, correlationId, stuck, waiting, from, to);
    }

    public SagaFilter whereWaiting(boolean only) {
        return new SagaFilter(workflowName, status, correlationId, stuck, only, from, to);
    }

    public SagaFilter startedBetween(@Nullable Instant first, @Nullable Instant end) {
        return new SagaFilter(workflowName, status, correlationId, stuck, waiting, first, end);
    }
}
