package io.hiroba.saga.engine;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.WorkflowLookup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Claims due sagas with their attempts and signals. */
final class Claimer {

    private static final Logger log = LoggerFactory.getLogger(Claimer.class);

    private final Db db;
    private final ClaimStore store;
    private final TaskStateStore tasks = new TaskStateStore();
    private final WorkflowLookup definitions;

    Claimer(Db db, ClaimStore store, WorkflowLookup definitions) {
        this.db = db;
        this.store = store;
        this.definitions = definitions;
    }

    /** A claimed saga. */
    sealed interface Claim {

        /** How long it had been due. */
        Duration late();
    }

    record Ready(SagaProgress progress, Duration late) implements Claim {}

    /** A claimed saga that cannot be driven, and must not block others. */
    record Poison(ClaimedSaga saga, Text reason, Duration late) implements Claim {}

    /** Claims up to {@code max} sagas; if the answer is lost, {@link Recovery} frees them. */
    List<Claim> claim(long owner, int max) {
        var found = db.inTransaction(tx -> {
            var rows = store.claim(tx, owner, max);
            // After the database's clock was read: times by this one are none too early then.
            long now = System.nanoTime();
            if (rows.isEmpty()) {
                return new Found(rows, now, Map.of(), Map.of(), Map.of());
            }
            var ids = rows.stream().map(row -> row.id().value()).toList();
            var signalled = rows.stream().anyMatch(row -> row.signals() > 0);
            var withTasks = rows.stream()
                    .filter(ClaimStore.Row::hasTasks)
                    .map(row -> row.id().value())
                    .toList();
            return new Found(
                    rows,
                    now,
                    store.attempts(tx, ids, now),
                    signalled ? store.signals(tx, ids) : Map.of(),
                    withTasks.isEmpty() ? Map.of() : tasks.open(tx, withTasks));
        });
        return found.rows().stream()
                .map(row -> claimed(
                        owner,
                        row,
                        found.attempts().getOrDefault(row.id().value(), List.of()),
                        found.signals().getOrDefault(row.id().value(), Map.of()),
                        found.tasks().getOrDefault(row.id().value(), List.of()),
                        found.now()))
                .toList();
    }

    private record Found(
            List<ClaimStore.Row> rows,
            long now,
            Map<UUID, List<Attempt>> attempts,
            Map<UUID, Map<String, JsonNode>> signals,
            Map<UUID, List<OpenTask>> tasks) {}

    private Claim claimed(
            long owner,
            ClaimStore.Row row,
            List<Attempt> attempts,
            Map<String, JsonNode> signals,
            List<OpenTask> open,
            long now) {
        JsonNode payload = JsonMapper.shared().nullNode();
        Text error = null;
        try {
            payload = JsonMapper.shared().readTree(row.payload());
        } catch (JacksonException e) {
            log.warn("the payload of saga {} cannot be read", row.id(), e);
            error = Text.of("saga.journal.payload-unreadable");
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
                attempts,
                row.created(),
                row.parent(),
                open);
        if (error != null) {
            return new Poison(saga, error, row.late());
        }
        return claimed(saga, row.late());
    }

    private Claim claimed(ClaimedSaga saga, Duration late) {
        var workflow = definitions.find(saga.workflowName(), saga.workflowVersion());
        if (workflow.isEmpty()) {
            return new Poison(
                    saga,
                    Text.of(
                            "saga.journal.version-gone",
                            "version",
                            Integer.toString(saga.workflowVersion()),
                            "workflow",
                            saga.workflowName()),
                    late);
        }
        int steps = workflow.get().steps().size();
        if (saga.attempts().stream().anyMatch(attempt -> attempt.step() >= steps)
                || saga.tasks().stream().anyMatch(task -> task.step() >= steps)) {
            return new Poison(saga, Text.of("saga.journal.log-mismatch"), late);
        }
        return new Ready(new SagaProgress(saga, workflow.get()), late);
    }
}
