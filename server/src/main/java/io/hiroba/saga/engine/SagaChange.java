package io.hiroba.saga.engine;

import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The next state of a saga and the attempt that led to it.
 *
 * @param from the status that the writer knows of
 * @param currentStep null leaves what is there
 * @param error shown with the saga; null leaves what is there
 * @param stuck a person is needed
 * @param release nobody works on it any more, until {@code wakeIn} is over, if there is one
 * @param signals how many signals the writer knows of: if more came, the saga wakes at once
 * @param underWay other calls of it are, or may be, under way
 */
record SagaChange(
        SagaId id,
        int fence,
        SagaStatus from,
        SagaStatus status,
        @Nullable Integer currentStep,
        @Nullable String error,
        boolean stuck,
        boolean release,
        @Nullable Duration wakeIn,
        int signals,
        boolean underWay,
        @Nullable LogEntry log) {

    /** The attempt as it is logged. */
    record LogEntry(
            int step,
            String name,
            StepAction action,
            int attempt,
            StepStatus status,
            @Nullable JsonNode request,
            @Nullable JsonNode answer,
            @Nullable String error,
            Duration took,
            @Nullable Duration retryIn) {}

    /** The state that was written. */
    record Written(SagaStatus status, @Nullable SagaStatus undoneAs) {}
}
