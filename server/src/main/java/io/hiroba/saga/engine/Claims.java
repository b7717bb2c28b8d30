package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.saga.workflow.Definitions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Takes sagas that are due, with all that is known of them. */
final class Claims {

    private static final Logger log = LoggerFactory.getLogger(Claims.class);

    private final Db db;
    private final ClaimStore store;
    private final Definitions definitions;

    Claims(Db db, ClaimStore store, Definitions definitions) {
        this.db = db;
        this.store = store;
        this.definitions = definitions;
    }

    /** A saga that was taken. */
    sealed interface Taken {}

    record Ready(Progress progress) implements Taken {}

    /** It cannot be worked on, and must not be in the way of others. */
    record Poison(Claimed saga, String reason) implements Taken {}

    List<Taken> take(long owner, int most) {
        return db.inTransaction(tx -> {
            var rows = store.claim(tx, owner, most);
            if (rows.isEmpty()) {
                return List.of();
            }
            var ids = rows.stream().map(row -> row.id().value()).toList();
            long now = System.nanoTime();
            var attempts = store.attempts(tx, ids, now);
            var signals = rows.stream().anyMatch(row -> row.signals() > 0)
                    ? store.signals(tx, ids)
                    : Map.<UUID, Map<String, JsonNode>>of();
            return rows.stream()
                    .map(row -> taken(
                            owner,
                            row,
                            attempts.getOrDefault(row.id().value(), List.of()),
                            signals.getOrDefault(row.id().value(), Map.of()),
                            now))
                    .toList();
        });
    }

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
        var saga = new Claimed(
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
        var workflow = definitions.find(row.workflowName(), row.workflowVersion());
        if (workflow.isEmpty()) {
            return new Poison(
                    saga,
                    "Version %d of the workflow `%s` is gone or cannot be read."
                            .formatted(row.workflowVersion(), row.workflowName()));
        }
        int steps = workflow.get().steps().size();
        if (attempts.stream().anyMatch(attempt -> attempt.step() >= steps)) {
            return new Poison(saga, "Its log does not fit its workflow.");
        }
        return new Ready(new Progress(saga, workflow.get()));
    }
}
