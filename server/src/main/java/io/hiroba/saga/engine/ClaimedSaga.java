package io.hiroba.saga.engine;

import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A saga that this node owns, as the database had it when it was claimed. Times are those of the driver's clock.
 *
 * @param owner the number under which this node owns it
 * @param fence the fencing token that a write needs
 * @param signals how many it had, each end of a child counted as one
 * @param created when it was created by the database's clock; null where this node has just started it
 * @param parent the saga whose step it is, if any
 * @param tasks those of attempts that are not logged yet
 */
record ClaimedSaga(
        SagaId id,
        long owner,
        int fence,
        String workflowName,
        int workflowVersion,
        SagaStatus status,
        @Nullable SagaStatus undoneAs,
        boolean inDoubt,
        JsonNode payload,
        @Nullable String traceparent,
        long createdAt,
        @Nullable Long deadline,
        int signals,
        Map<String, JsonNode> signalPayloads,
        List<Attempt> attempts,
        @Nullable Instant created,
        @Nullable SagaId parent,
        List<OpenTask> tasks) {}
