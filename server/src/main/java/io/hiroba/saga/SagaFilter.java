package io.hiroba.saga;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter of the list of sagas; null matches everything.
 *
 * @param stuck only those that need an operator
 * @param attributes conditions that all have to hold
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck,
        List<AttributeFilter> attributes) {

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);

    public SagaFilter {
        // One that is equal to a value finds few.
        attributes = attributes.stream()
                .sorted(Comparator.comparing(AttributeFilter::isRange))
                .toList();
    }

    public SagaFilter(
            @Nullable String workflowName, @Nullable SagaStatus status, @Nullable String correlationId, boolean stuck) {
        this(workflowName, status, correlationId, stuck, List.of());
    }

    /** The same, with conditions on search attributes. */
    public SagaFilter with(List<AttributeFilter> conditions) {
        return new SagaFilter(workflowName, status, correlationId, stuck, conditions);
    }
}
