package io.hiroba.saga.engine;

import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.TaskKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A task of an attempt that is not logged yet, or that is carried out though it is.
 *
 * @param outcome null while it is carried out, or waits for a worker
 * @param request null where the payload was sent
 */
record OpenTask(
        int step,
        TaskKind kind,
        int attempt,
        @Nullable StepOutcome outcome,
        @Nullable JsonNode request,
        Duration took) {

    /** A task that was just made. */
    static OpenTask begun(int step, TaskKind kind, int attempt) {
        return new OpenTask(step, kind, attempt, null, null, Duration.ZERO);
    }

    boolean isEnded() {
        return outcome != null;
    }
}
