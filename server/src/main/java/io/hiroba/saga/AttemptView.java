package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An attempt at a step as JSON. Without a request, the saga's payload was sent as it is.
 *
 * @param stepIndex null, like {@code stepName}, where the attempt is shown with its step
 */
record AttemptView(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer stepIndex,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stepName,
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

    static AttemptView ofStep(StepLog log) {
        return of(null, null, log);
    }

    static AttemptView withStep(StepLog log) {
        return of(log.stepIndex(), log.stepName(), log);
    }

    private static AttemptView of(@Nullable Integer stepIndex, @Nullable String stepName, StepLog log) {
        return new AttemptView(
                stepIndex,
                stepName,
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
