package io.hiroba.saga.pages;

import io.hiroba.saga.SagaStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of sagas, with what it was asked for.
 *
 * @param status the name of one; empty for any
 * @param workflows those that there are to choose from
 * @param isBeginning whether it begins with the newest
 * @param more where older ones are, if there are any
 */
public record SagaList(
        String workflow,
        String status,
        String correlationId,
        boolean stuck,
        List<String> workflows,
        List<SagaItem> items,
        boolean isBeginning,
        @Nullable String more) {

    /** A status to choose. */
    public record Choice(String value, String label) {}

    public SagaList {
        workflows = List.copyOf(workflows);
        items = List.copyOf(items);
    }

    public boolean isFiltered() {
        return stuck || !workflow.isEmpty() || !status.isEmpty() || !correlationId.isEmpty();
    }

    public List<Choice> statuses() {
        return List.of(
                new Choice(SagaStatus.STARTED.name(), "Started"),
                new Choice(SagaStatus.RUNNING.name(), "Running"),
                new Choice(SagaStatus.COMPENSATING.name(), "Being undone"),
                new Choice(SagaStatus.COMPLETED.name(), "Completed"),
                new Choice(SagaStatus.FAILED.name(), "Failed"),
                new Choice(SagaStatus.CANCELLED.name(), "Cancelled"));
    }
}
