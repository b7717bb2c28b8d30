package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a saga.
 *
 * @param resting it has no owner and is not due
 * @param log in the order of steps, actions and attempts
 * @param events the statuses in the event log, in order
 * @param parent the id of the saga that started it, if any
 * @param childIndex its position among those of its parent
 */
record ObservedSaga(
        String id,
        long number,
        ChaosWorkflow workflow,
        SagaStatus status,
        boolean stuck,
        boolean resting,
        List<Row> log,
        List<String> events,
        @Nullable String parent,
        int childIndex) {

    ObservedSaga(
            String id,
            long number,
            ChaosWorkflow workflow,
            SagaStatus status,
            boolean stuck,
            boolean resting,
            List<Row> log,
            List<String> events) {
        this(id, number, workflow, status, stuck, resting, log, events, null, 0);
    }

    static final String STUCK = "stuck";

    /**
     * A row of the step log.
     *
     * @param key the idempotency key in the service's response; null without a response
     * @param maybeDone whether it failed in a way that does not tell whether it took effect
     */
    record Row(
            int step,
            StepAction action,
            int attempt,
            StepStatus status,
            boolean retried,
            @Nullable String key,
            String times,
            boolean maybeDone) {}

    boolean hasEnded() {
        return status.isTerminal();
    }

    List<Row> rows(int step, StepAction action) {
        return log.stream()
                .filter(row -> row.step() == step && row.action() == action)
                .toList();
    }

    boolean succeeded(int step, StepAction action) {
        return rows(step, action).stream().anyMatch(row -> row.status() == StepStatus.SUCCESS);
    }

    /** Whether it is undone with the saga: it succeeded, or may have taken effect and can be undone. */
    boolean isToBeUndone(ChaosWorkflow.Step step) {
        return succeeded(step.index(), StepAction.EXECUTE)
                || (step.hasCompensation()
                        && rows(step.index(), StepAction.EXECUTE).stream().anyMatch(Row::maybeDone));
    }

    @Override
    public String toString() {
        var text = new StringBuilder("saga %d %s (%s): %s%s, events %s\n"
                .formatted(number, id, workflow.name(), status, stuck ? " and stuck" : "", events));
        log.forEach(row -> text.append("    ").append(row).append('\n'));
        return text.toString();
    }
}
