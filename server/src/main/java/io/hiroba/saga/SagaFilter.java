package io.hiroba.saga;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter of the list of sagas; null matches everything.
 *
 * @param stuck only those that need an operator
 * @param waiting only those that wait for a signal or an approval
 * @param from only those that were started then or later
 * @param to only those that were started before that
 * @param schedule only those that this schedule started
 * @param parent only those that this saga started
 * @param attributes conditions that all have to hold
 */
public record SagaFilter(
        @Nullable String workflowName,
        @Nullable SagaStatus status,
        @Nullable String correlationId,
        boolean stuck,
        boolean waiting,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Long schedule,
        @Nullable SagaId parent,
        List<AttributeFilter> attributes) {

    public SagaFilter {
        // One that is equal to a value finds few.
        attributes = attributes.stream()
                .sorted(Comparator.comparing(AttributeFilter::isRange))
                .toList();
    }

    /** The value of a status filter that stands for {@code waiting}: such a saga is STARTED or RUNNING. */
    public static final String WAITING = "WAITING";

    public static final SagaFilter ALL = new SagaFilter(null, null, null, false);

    public SagaFilter(
            @Nullable String workflowName, @Nullable SagaStatus status, @Nullable String correlationId, boolean stuck) {
        this(workflowName, status, correlationId, stuck, false, null, null, null, null, List.of());
    }

    public SagaFilter withStatus(@Nullable SagaStatus other) {
        return new SagaFilter(
                workflowName, other, correlationId, stuck, waiting, from, to, schedule, parent, attributes);
    }

    public SagaFilter withWorkflow(@Nullable String other) {
        return new SagaFilter(other, status, correlationId, stuck, waiting, from, to, schedule, parent, attributes);
    }

    public SagaFilter whereStuck(boolean only) {
        return new SagaFilter(
                workflowName, status, correlationId, only, waiting, from, to, schedule, parent, attributes);
    }

    public SagaFilter whereWaiting(boolean only) {
        return new SagaFilter(workflowName, status, correlationId, stuck, only, from, to, schedule, parent, attributes);
    }

    public SagaFilter startedBetween(@Nullable Instant first, @Nullable Instant end) {
        return new SagaFilter(
                workflowName, status, correlationId, stuck, waiting, first, end, schedule, parent, attributes);
    }

    public SagaFilter withAttributes(List<AttributeFilter> conditions) {
        return new SagaFilter(
                workflowName, status, correlationId, stuck, waiting, from, to, schedule, parent, conditions);
    }

    public SagaFilter ofSchedule(@Nullable Long id) {
        return new SagaFilter(workflowName, status, correlationId, stuck, waiting, from, to, id, parent, attributes);
    }

    public SagaFilter withParent(@Nullable SagaId other) {
        return new SagaFilter(
                workflowName, status, correlationId, stuck, waiting, from, to, schedule, other, attributes);
    }
}
