package io.hiroba.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.platform.i18n.Language;
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
        @Nullable Instant retryAt,
        @Nullable JsonNode response,
        boolean maybeDone) {

    static AttemptView ofStep(StepLog log, Language language) {
        return of(null, null, log, language);
    }

    static AttemptView withStep(StepLog log, Language language) {
        return of(log.stepIndex(), log.stepName(), log, language);
    }

    private static AttemptView of(
            @Nullable Integer stepIndex, @Nullable String stepName, StepLog log, Language language) {
        var error = log.error();
        return new AttemptView(
                stepIndex,
                stepName,
                log.attempt(),
                log.action(),
                log.status(),
                log.request(),
                log.answer(),
                log.leftOut(),
                error == null ? null : error.in(language),
                log.startedAt(),
                log.completedAt(),
                log.retryAt(),
                log.responseHead(),
                log.maybeDone());
    }
}
