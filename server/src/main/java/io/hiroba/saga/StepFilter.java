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

    /** Whether everything that was tried in the time must be looked at, because there is no index of what is asked for. */
    boolean readsItsTime() {
        return stepName == null || !isTrouble();
    }

    Duration length() {
        return Duration.between(from, to);
    }

    /** Whether only attempts match that did not go well, or undo something: there is an index of those. */
    boolean isTrouble() {
        return (status != null && status != StepStatus.SUCCESS) || action == StepAction.COMPENSATE;
    }
}
