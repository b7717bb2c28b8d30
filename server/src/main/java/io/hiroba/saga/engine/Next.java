package io.hiroba.saga.engine;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is to be done for a saga now. */
sealed interface Next {

    /** These steps are to be executed, side by side. */
    record Execute(List<Step> steps) implements Next {}

    /** The signal that the step waits for has come. */
    record Signalled(Step step, JsonNode payload) implements Next {}

    /** The time for the step, or for the whole saga, is over. */
    record Overdue(Step step, String reason) implements Next {}

    /** The step is to be undone. */
    record Compensate(Step step) implements Next {}

    /** The step has nothing that undoes it. */
    record Skip(Step step) implements Next {}

    /** Nothing for {@code duration}; null: until a signal comes. */
    record Rest(@Nullable Duration duration) implements Next {}

    /** It is over. */
    record End(SagaStatus status) implements Next {}
}
