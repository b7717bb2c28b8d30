package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The next action for a saga. */
sealed interface Decision {

    /** Execute these steps in parallel. */
    record Execute(List<Step> steps) implements Decision {}

    /** Complete a step whose signal has come. */
    record Signalled(Step step, JsonNode payload) implements Decision {}

    /** Ask the assignees of a step for their approval; with {@code remind}, remind them too. */
    record Ask(Step step, boolean remind) implements Decision {}

    /** Fail a step because its timeout, or that of the saga, is over. */
    record Overdue(Step step, Text reason) implements Decision {}

    /** Fail a step whose signal did not come, or whose approval was not decided, in time, unless that has happened by now. */
    record Expire(Step step, Text reason) implements Decision {}

    /** Complete a timer whose time has come. */
    record Elapsed(Step step) implements Decision {}

    /** Leave out a step whose condition is false. */
    record LeaveOut(Step step) implements Decision {}

    /** Fail a step whose condition or time cannot be evaluated. */
    record Fail(Step step, Text reason) implements Decision {}

    /** Undo a step. */
    record Compensate(Step step) implements Decision {}

    /** Skip a step without a compensation. */
    record Skip(Step step) implements Decision {}

    /** Start children of a step, or see whether they have ended. */
    record RunChildren(Step step) implements Decision {}

    /** Undo the children of a step, or see whether they are undone. */
    record UndoChildren(Step step) implements Decision {}

    /** End the saga and start its successor. */
    record Continue(Step step) implements Decision {}

    /** Go on by a task that has ended. */
    record TaskEnded(Step step, OpenTask task) implements Decision {}

    /** Take back the tasks of a saga that is being undone. */
    record Recall() implements Decision {}

    /** Undo a saga whose time is over while tasks are under way. */
    record Turn(Step step, Text reason) implements Decision {}

    /** Wait for {@code duration}; null means until a signal comes. */
    record Wait(@Nullable Duration duration) implements Decision {}

    /** End the saga. */
    record End(SagaStatus status) implements Decision {}
}
