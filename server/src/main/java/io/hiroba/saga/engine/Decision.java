package io.hiroba.saga.engine;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is to be done for a saga now. */
sealed interface Decision {

    /** These steps are to be executed, side by side. */
    record Execute(List<Step> steps) implements Decision {}

    /** The signal that the step waits for has come. */
    record Signalled(Step step, JsonNode payload) implements Decision {}

    /** The time for the step, or for the whole saga, is over. */
    record Overdue(Step step, String reason) implements Decision {}

    /** The step is to be undone. */
    record Compensate(Step step) implements Decision {}

    /** The step has nothing that undoes it. */
    record Skip(Step step) implements Decision {}

    /** Nothing for {@code duration}; null: until a signal comes. */
    record Rest(@Nullable Duration duration) implements Decision {}

    /** It is over. */
    record End(SagaStatus status) implements Decision {}
}
