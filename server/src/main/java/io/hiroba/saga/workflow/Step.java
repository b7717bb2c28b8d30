package io.hiroba.saga.workflow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step of a workflow.
 *
 * @param index its position among all steps, from 0 on
 * @param stage its position in the order: the steps of one stage are executed in parallel
 * @param timeout how long an attempt, or the wait for a signal, may take; null for no limit
 */
public record Step(
        int index,
        int stage,
        String name,
        Work work,
        @Nullable Duration timeout,
        RetryPolicy retry) {

    /** The work of a step. */
    public sealed interface Work {}

    /**
     * A call of a service.
     *
     * @param compensate the method that undoes it; null where nothing does
     * @param input the input of the method; null for the saga's payload
     * @param compensateInput the input of {@code compensate}; null for that of the method
     * @param status the method that says whether it was done, by its answer or by 404; only with {@link UnknownOutcome#ASK}
     */
    public record Call(
            String service,
            String method,
            @Nullable String compensate,
            @Nullable InputMapping input,
            @Nullable InputMapping compensateInput,
            UnknownOutcome unknownOutcome,
            @Nullable String status)
            implements Work {

        public Call(
                String service,
                String method,
                @Nullable String compensate,
                @Nullable InputMapping input,
                @Nullable InputMapping compensateInput) {
            this(service, method, compensate, input, compensateInput, UnknownOutcome.COMPENSATE, null);
        }
    }

    /** What is done with a call that may have taken effect without saying so, when the saga is undone. */
    public enum UnknownOutcome {
        /** It is compensated, which must tolerate that there is nothing to undo. */
        COMPENSATE,
        /** It counts as not done. */
        IGNORE,
        /** The service is asked first. */
        ASK
    }

    /** A wait for a signal, whose payload is the step's answer. */
    public record Signal(String name) implements Work {}
}
