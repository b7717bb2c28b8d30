package io.hiroba.saga;

import org.jspecify.annotations.Nullable;

/**
 * Which sagas are asked for; what is null does not matter.
 *
 * @param stuck only those that cannot go on without a person
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck) {

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);
}
