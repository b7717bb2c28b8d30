package io.hiroba.saga.live;

import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.StepStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An attempt at a step as the stream shows it. Without a request, the saga's payload was sent as it is. */
record StepEvent(
        int stepIndex,
        String stepName,
        int number,
        StepAction action,
        StepStatus status,
        @Nullable JsonNode request,
        @Nullable JsonNode answer,
        boolean leftOut,
        @Nullable String error,
        Instant startedAt,
        Instant completedAt,
        @Nullable Instant retryAt) {

    static StepEvent of(StepLog log) {
        return new StepEvent(
                log.stepIndex(),
                log.stepName(),
                log.attempt(),
                log.action(),
                log.status(),
                log.request(),
                log.answer(),
                log.leftOut(),
                log.error(),
                log.startedAt(),
                log.completedAt(),
                log.retryAt());
    }
}
