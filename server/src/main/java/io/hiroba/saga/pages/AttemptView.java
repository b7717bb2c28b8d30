package io.hiroba.saga.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.saga.StepLog;
import io.hiroba.saga.StepStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One attempt at a step, to be read.
 *
 * @param leftOut whether what was sent and answered is too much to be shown
 * @param request what was sent, as JSON; null where it was the saga's payload
 * @param answer what came back, as JSON, if anything did
 */
public record AttemptView(
        int number,
        StepStatus status,
        String outcome,
        String started,
        String took,
        @Nullable String error,
        @Nullable String retry,
        boolean leftOut,
        @Nullable String request,
        @Nullable String answer) {

    static AttemptView of(StepLog log, ReaderClock when) {
        var retryAt = log.retryAt();
        return new AttemptView(
                log.attempt(),
                log.status(),
                outcome(log.status()),
                when.exact(log.startedAt()),
                Took.text(Duration.between(log.startedAt(), log.completedAt())),
                log.error(),
                retryAt == null ? null : Took.text(Duration.between(log.completedAt(), retryAt)),
                log.leftOut(),
                pretty(log.request()),
                pretty(log.answer()));
    }

    /** The name of its style. */
    public String word() {
        return switch (status) {
            case SUCCESS -> "done";
            case FAILED, TIMEOUT -> "failed";
            case SKIPPED -> "skipped";
        };
    }

    static String outcome(StepStatus status) {
        return switch (status) {
            case SUCCESS -> "Done";
            case FAILED -> "Failed";
            case TIMEOUT -> "Timed out";
            case SKIPPED -> "Skipped";
        };
    }

    static @Nullable String pretty(@Nullable JsonNode json) {
        return json == null ? null : json.toPrettyString();
    }
}
