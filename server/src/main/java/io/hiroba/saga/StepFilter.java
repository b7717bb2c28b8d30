package io.hiroba.saga;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A filter of attempts that began from {@code from} on and before {@code to}. */
record StepFilter(
        @Nullable String stepName,
        @Nullable StepStatus status,
        @Nullable StepAction action,
        Instant from,
        Instant to) {

    /** Whether no index serves the filter, so that all attempts of the range are read. */
    boolean readsItsTime() {
        return stepName == null || !isTrouble();
    }

    Duration length() {
        return Duration.between(from, to);
    }

    /** Whether only failed or compensating attempts match, which have an index. */
    boolean isTrouble() {
        return (status != null && status != StepStatus.SUCCESS) || action == StepAction.COMPENSATE;
    }
}
