package io.hiroba.saga.workflow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One thing to do in a workflow.
 *
 * @param index its place among all steps, from 0 on
 * @param stage its place in the order: the steps of one stage are executed at the same time
 * @param timeout how long an attempt, or the wait for a signal, may take; null for a wait without an end
 */
public record Step(
        int index,
        int stage,
        String name,
        Work work,
        @Nullable Duration timeout,
        RetryPolicy retry) {

    /** What a step consists of. */
    public sealed interface Work {}

    /**
     * A service is called.
     *
     * @param compensate the method that undoes it; null where nothing does
     * @param input what the method is given; null for the saga's payload
     * @param compensateInput what {@code compensate} is given; null for the same as the method
     */
    public record Call(
            String service,
            String method,
            @Nullable String compensate,
            @Nullable InputMapping input,
            @Nullable InputMapping compensateInput)
            implements Work {}

    /** Somebody has to say so. What they send is the step's answer. */
    public record Signal(String name) implements Work {}
}
