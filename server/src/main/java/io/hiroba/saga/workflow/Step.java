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
     */
    public record Call(
            String service,
            String method,
            @Nullable String compensate,
            @Nullable InputMapping input,
            @Nullable InputMapping compensateInput)
            implements Work {}

    /** A wait for a signal, whose payload is the step's answer. */
    public record Signal(String name) implements Work {}

    /**
     * Sagas of another workflow, which this one waits for and undoes with itself. One saga, whose answers by step are the
     * step's answer; or one for each element of a list, which may be none, and then the answer is the list of theirs.
     *
     * @param input the payload of a child; null for the saga's payload, or the element of the list
     * @param forEach the reference to the list; null for one child
     * @param maxParallel how many run at the same time
     */
    public record Children(
            String workflow,
            @Nullable InputMapping input,
            @Nullable InputMapping forEach,
            int maxParallel) implements Work {}

    /**
     * The end of the saga, and the start of its successor: a long loop is a chain of sagas with short logs.
     *
     * @param workflow that of the successor; null for the same
     * @param payload that of the successor; null for the saga's payload
     */
    public record Continuation(
            @Nullable String workflow, @Nullable InputMapping payload) implements Work {}
}
