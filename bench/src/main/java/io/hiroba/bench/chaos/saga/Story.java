package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the database knows of a saga.
 *
 * @param resting nobody works on it, and it is not due
 * @param log in the order of steps, actions and attempts
 * @param told the statuses that the event log tells of, in order
 */
record Story(
        String id,
        long number,
        Shape shape,
        SagaStatus status,
        boolean stuck,
        boolean resting,
        List<Row> log,
        List<String> told) {

    static final String STUCK = "stuck";

    /**
     * An attempt.
     *
     * @param key what the service's answer says it is about; null where there was none
     */
    record Row(
            int step,
            StepAction action,
            int attempt,
            StepStatus status,
            boolean retried,
            @Nullable String key,
            String times) {}

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

    @Override
    public String toString() {
        var text = new StringBuilder("saga %d %s (%s): %s%s, told %s\n"
                .formatted(number, id, shape.name(), status, stuck ? " and stuck" : "", told));
        log.forEach(row -> text.append("    ").append(row).append('\n'));
        return text.toString();
    }
}
