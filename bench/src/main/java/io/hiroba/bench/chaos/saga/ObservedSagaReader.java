package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/** Reads the sagas of a run from the database. */
final class ObservedSagaReader {

    private ObservedSagaReader() {}

    /** Reads in one snapshot: with a state and a log of two moments, a saga stuck as planned would look like a failure. */
    static List<ObservedSaga> read(Handle handle) {
        return handle.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, ObservedSagaReader::sagas);
    }

    private static List<ObservedSaga> sagas(Handle handle) {
        var logs = logs(handle);
        var events = events(handle);
        return handle.createQuery("""
                        SELECT id::text AS id, workflow_name, status,
                               coalesce((payload ->> 'number')::bigint, (payload ->> 'schedule')::bigint
                                   + 100 * extract(epoch FROM (payload ->> 'scheduledAt')::timestamptz)::bigint) AS number,
                               stuck, owner IS NULL AND wake_at IS NULL AS resting, parent_id::text AS parent, child_index
                        FROM saga.saga_states
                        ORDER BY saga_states.id
                        """)
                .map((row, ctx) -> new ObservedSaga(
                        row.getString("id"),
                        row.getLong("number"),
                        ChaosWorkflow.named(row.getString("workflow_name")),
                        SagaStatus.valueOf(row.getString("status")),
                        row.getBoolean("stuck"),
                        row.getBoolean("resting"),
                        logs.getOrDefault(row.getString("id"), List.of()),
                        events.getOrDefault(row.getString("id"), List.of()),
                        row.getString("parent"),
                        row.getInt("child_index")))
                .list();
    }

    private static Map<String, List<ObservedSaga.Row>> logs(Handle handle) {
        var all = new HashMap<String, List<ObservedSaga.Row>>();
        handle.createQuery("""
                        SELECT saga_id::text AS id, step_index, action, attempt, status, retry_at IS NOT NULL AS retried,
                               response_payload ->> 'key' AS key,
                               to_char(started_at, 'MI:SS.MS') || ' to ' || to_char(completed_at, 'MI:SS.MS') AS times,
                               maybe_done
                        FROM saga.saga_step_logs
                        ORDER BY saga_id, step_index, action DESC, attempt
                        """)
                .map((row, ctx) -> all.computeIfAbsent(row.getString("id"), id -> new ArrayList<>())
                        .add(new ObservedSaga.Row(
                                row.getInt("step_index"),
                                StepAction.valueOf(row.getString("action")),
                                row.getInt("attempt"),
                                StepStatus.valueOf(row.getString("status")),
                                row.getBoolean("retried"),
                                row.getString("key"),
                                row.getString("times"),
                                row.getBoolean("maybe_done"))))
                .list();
        return all;
    }

    private static Map<String, List<String>> events(Handle handle) {
        var all = new HashMap<String, List<String>>();
        handle.createQuery("""
                        SELECT payload ->> 'sagaId' AS id,
                               CASE payload ->> 'type' WHEN 'saga-stuck' THEN 'stuck' ELSE payload ->> 'status' END AS event
                        FROM platform.event_logs
                        WHERE payload ->> 'type' IN ('saga-changed', 'saga-stuck')
                        ORDER BY event_id
                        """)
                .map((row, ctx) -> all.computeIfAbsent(row.getString("id"), id -> new ArrayList<>())
                        .add(row.getString("event")))
                .list();
        return all;
    }
}
