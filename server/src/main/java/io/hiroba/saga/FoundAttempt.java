package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt at a step of any saga, without its request and answer. */
record FoundAttempt(
        SagaId sagaId,
        String workflowName,
        int stepIndex,
        String stepName,
        StepAction action,
        int attempt,
        StepStatus status,
        @Nullable Text error,
        Instant startedAt,
        @Nullable Instant completedAt,
        @Nullable Instant retryAt) {

    /** The place of an attempt in the list, which is ordered by all of this, the latest first. */
    public record Position(Instant startedAt, SagaId saga, int stepIndex, StepAction action, int attempt) {}
}
