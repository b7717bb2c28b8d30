package io.hiroba.saga.engine;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.call.StepOutcome.Done;
import io.hiroba.saga.call.StepOutcome.Failed;
import io.hiroba.saga.call.StepOutcome.KeptAnswer;
import io.hiroba.saga.call.StepOutcome.TimedOut;
import io.hiroba.saga.call.TaskKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the tasks of sagas for their drivers, and takes those back that nobody carries out. */
final class TaskStateStore {

    /**
     * The tasks of attempts that are not logged, and the executions that somebody is at though the saga goes on without them. A call whose service has not said that it will answer later is none yet: it is made
     * again under the same token.
     */
    Map<UUID, List<OpenTask>> open(Reads reads, Collection<UUID> sagas) {
        var all = new HashMap<UUID, List<OpenTask>>();
        reads.query("""
                SELECT t.saga_id, t.step_index, t.kind, t.attempt, t.state, t.input::text AS input, t.answer::text AS answer,
                       t.reason, t.response_head::text AS head, t.retryable, t.maybe_done, t.worker, t.timeout_ms,
                       extract(epoch FROM t.ended_at - coalesce(t.started_at, t.ended_at)) * 1000000 AS took
                FROM saga.tasks AS t
                WHERE t.saga_id = ANY (:sagas) AND t.state <> 'CALLING'
                  AND (t.state = 'LEASED' AND t.kind = 'EXECUTE' OR NOT EXISTS (
                    SELECT FROM saga.saga_step_logs AS l
                    WHERE l.saga_id = t.saga_id AND l.step_index = t.step_index AND l.attempt = t.attempt
                      AND l.action = CASE t.kind WHEN 'EXECUTE' THEN 'EXECUTE' ELSE 'COMPENSATE' END))
                """)
                .bindArray("sagas", UUID.class, sagas)
                .map(row -> all.computeIfAbsent(row.getObject("saga_id", UUID.class), id -> new ArrayList<>())
                        .add(task(row)))
                .list();
        return all;
    }

    /** Whether {@code fence} is still that of the saga's owner; the row is locked then. */
    boolean lock(Tx tx, SagaId saga, int fence) {
        return tx.query("SELECT id FROM saga.saga_states WHERE id = :id AND fence = :fence FOR NO KEY UPDATE")
                .bind("id", saga.value())
                .bind("fence", fence)
                .map(row -> row.getObject("id", UUID.class))
                .findOne()
                .isPresent();
    }

    /** Takes the executions out of the queue that no worker has fetched. */
    void withdraw(Tx tx, SagaId saga) {
        tx.update("""
                UPDATE saga.tasks SET state = 'WITHDRAWN', ended_at = now()
                WHERE saga_id = :id AND kind = 'EXECUTE' AND state = 'QUEUED'
                """).bind("id", saga.value()).execute();
    }

    private static OpenTask task(ResultSet row) throws SQLException {
        return new OpenTask(
                row.getInt("step_index"),
                TaskKind.valueOf(row.getString("kind")),
                row.getInt("attempt"),
                outcome(row),
                json(row.getString("input")),
                Duration.ofNanos(row.getLong("took") * 1000));
    }

    private static @Nullable StepOutcome outcome(ResultSet row) throws SQLException {
        var answer = json(row.getString("answer"));
        return switch (row.getString("state")) {
            case "DONE" -> new Done(answer == null ? JsonMapper.shared().nullNode() : answer);
            case "FAILED" -> {
                var head = json(row.getString("head"));
                yield new Failed(
                        Text.verbatim(row.getString("reason")),
                        !row.getBoolean("retryable"),
                        null,
                        head == null ? null : new KeptAnswer(answer, head),
                        row.getBoolean("maybe_done"));
            }
            case "LOST" ->
                Failed.retryable(Text.of("saga.journal.worker-lost", "worker", row.getString("worker")))
                        .asMaybeDone();
            case "LATE" ->
                new TimedOut(Text.of(
                        "saga.journal.step-too-long",
                        "time",
                        DurationText.text(Duration.ofMillis(row.getLong("timeout_ms")))));
            case "WITHDRAWN" -> Failed.retryable(Text.of("saga.journal.task-withdrawn"));
            default -> null;
        };
    }

    private static @Nullable JsonNode json(@Nullable String text) {
        return text == null ? null : JsonMapper.shared().readTree(text);
    }
}
