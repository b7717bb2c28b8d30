package io.hiroba.saga;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt at a step that was looked for, without what was sent and answered. */
public record FoundStep(
        SagaId saga,
        String workflowName,
        int stepIndex,
        String stepName,
        StepAction action,
        int attempt,
        StepStatus status,
        @Nullable String error,
        Instant startedAt,
        @Nullable Instant completedAt,
        @Nullable Instant retryAt) {

    /** Where a page of found steps ends: they are ordered by all of this, the latest first. */
    public record Position(Instant startedAt, SagaId saga, int stepIndex, StepAction action, int attempt) {}
}
