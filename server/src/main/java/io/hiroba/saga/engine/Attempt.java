package io.hiroba.saga.engine;

import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An ended attempt at a step. Times are those of the driver's clock.
 *
 * @param retryAt when the next attempt is due; null if there is none
 * @param gaveUp whether it was the last of its round; an operator may have started another since
 * @param maybeDone whether it failed in a way that does not tell whether it took effect
 */
record Attempt(
        int step,
        StepAction action,
        int number,
        StepStatus status,
        @Nullable JsonNode answer,
        long endedAt,
        @Nullable Long retryAt,
        boolean gaveUp,
        boolean maybeDone) {}
