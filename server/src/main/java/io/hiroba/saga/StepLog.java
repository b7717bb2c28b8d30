package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A logged attempt at a step.
 *
 * @param attempt from 1 on, for execution and compensation apart
 * @param request null where the saga's payload was sent
 * @param retryAt when the next attempt is due; null where this was the last
 * @param leftOut whether request and answer are left out because they are too large together
 * @param responseHead the status and headers of a service that refused, or whose answer is not kept
 * @param maybeDone whether it failed in a way that does not tell whether it took effect
 */
public record StepLog(
        int stepIndex,
        String stepName,
        StepAction action,
        int attempt,
        StepStatus status,
        @Nullable JsonNode request,
        @Nullable JsonNode answer,
        @Nullable Text error,
        Instant startedAt,
        Instant completedAt,
        @Nullable Instant retryAt,
        boolean leftOut,
        @Nullable JsonNode responseHead,
        boolean maybeDone) {}
