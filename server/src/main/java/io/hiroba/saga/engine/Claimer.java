package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.saga.workflow.WorkflowLookup;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Takes sagas that are due, with all that is known of them. */
final class Claimer {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    private final Db db;
    private final ClaimStore store;
    private final WorkflowLookup definitions;

    Claimer(Db db, ClaimStore store, WorkflowLookup definitions) {
        this.db = db;
        this.store = store;
        this.definitions = definitions;
    }

    /** A saga that was taken. */
    sealed interface Taken {}

    record Ready(SagaProgress progress) implements Taken {}

    /** It cannot be worked on, and must not be in the way of others. */
    record Poison(ClaimedSaga saga, String reason) implements Taken {}

    /** Takes up to {@code most}. What is taken and cannot be handed on, {@link Recovery} finds. */
    List<Taken> take(long owner, int most) {
        long now = System.nanoTime();
        var found = db.inTransaction(tx -> {
            var rows = store.claim(tx, owner, most);
            if (rows.isEmpty()) {
                return new Found(rows, Map.of(), Map.of());
            }
            var ids = rows.stream().map(row -> row.id().value()).toList();
            var signalled = rows.stream().anyMatch(row -> row.signals() > 0);
            return new Found(rows, store.attempts(tx, ids, now), signalled ? store.signals(tx, ids) : Map.of());
        });
        return found.rows().stream()
                .map(row -> taken(
                        owner,
                        row,
                        found.attempts().getOrDefault(row.id().value(), List.of()),
                        found.signals().getOrDefault(row.id().value(), Map.of()),
                        now))
                .toList();
    }

    private record Found(
            List<ClaimStore.Row> rows, Map<UUID, List<Attempt>> attempts, Map<UUID, Map<String, JsonNode>> signals) {}

    private Taken taken(
            long owner, ClaimStore.Row row, List<Attempt> attempts, Map<String, JsonNode> signals, long now) {
        JsonNode payload = JsonMapper.shared().nullNode();
        String trouble = null;
        try {
            payload = JsonMapper.shared().readTree(row.payload());
        } catch (JacksonException e) {
            log.warn("the payload of saga {} cannot be read", row.id(), e);
            trouble = "Its payload cannot be read.";
        }
        var saga = new ClaimedSaga(
                row.id(),
                owner,
                row.fence(),
                row.workflowName(),
                row.workflowVersion(),
                row.status(),
                row.undoneAs(),
                row.inDoubt(),
                payload,
                row.traceparent(),
                now - row.age().toNanos(),
                row.deadlineIn() == null ? null : now + row.deadlineIn().toNanos(),
                row.signals(),
                signals,
                attempts);
        if (trouble != null) {
            return new Poison(saga, trouble);
        }
        return taken(saga);
    }

    private Taken taken(ClaimedSaga saga) {
        var workflow = definitions.find(saga.workflowName(), saga.workflowVersion());
        if (workflow.isEmpty()) {
            return new Poison(
                    saga,
                    "Version %d of the workflow `%s` is gone or cannot be read."
                            .formatted(saga.workflowVersion(), saga.workflowName()));
        }
        int steps = workflow.get().steps().size();
        if (saga.attempts().stream().anyMatch(attempt -> attempt.step() >= steps)) {
            return new Poison(saga, "Its log does not fit its workflow.");
        }
        return new Ready(new SagaProgress(saga, workflow.get()));
    }
}
