package io.hiroba.saga;

import io.hiroba.platform.db.Tx;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What people do to sagas while nodes work on them. Each statement locks the saga's row, as the journal does. */
final class ControlStore {

    /** Where a saga stands and stays until {@code tx} ends. */
    record Locked(SagaStatus status, boolean stuck, String workflowName, int workflowVersion) {}

    Optional<Locked> lock(Tx tx, SagaId id) {
        return tx.query("""
                SELECT status, stuck, workflow_name, workflow_version FROM saga.saga_states
                WHERE id = :id
                FOR NO KEY UPDATE
                """)
                .bind("id", id.value())
                .map(row -> new Locked(
                        SagaStatus.valueOf(row.getString("status")),
                        row.getBoolean("stuck"),
                        row.getString("workflow_name"),
                        row.getInt("workflow_version")))
                .findOne();
    }

    /**
     * Turns a saga that goes forward around. A call may be under way where a node has it, or where one had it and died:
     * then its effect is found out before anything is undone.
     */
    void undo(Tx tx, SagaId id, SagaStatus as, String reason) {
        tx.query("""
                WITH turned AS (
                    UPDATE saga.saga_states
                    SET status = 'COMPENSATING', undone_as = :as, error_message = :reason, stuck = false,
                        in_doubt = in_doubt OR owner IS NOT NULL,
                        wake_at = CASE WHEN owner IS NULL THEN now() END,
                        updated_at = clock_timestamp()
                    WHERE id = :id
                    RETURNING id, workflow_name, status, correlation_id)
                SELECT saga.tell(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM turned
                """)
                .bind("id", id.value())
                .bind("as", as.name())
                .bind("reason", reason)
                .mapTo(String.class)
                .list();
    }

    /** Has a stuck saga taken up again: what failed for good gets a new round of attempts. */
    void retry(Tx tx, SagaId id) {
        tx.query("""
                WITH freed AS (
                    UPDATE saga.saga_states
                    SET stuck = false, wake_at = now(), updated_at = clock_timestamp(),
                        error_message = CASE
                            WHEN status <> 'COMPENSATING' THEN NULL
                            WHEN undone_as = 'CANCELLED' THEN 'It was cancelled.'
                            ELSE coalesce((
                                SELECT 'Step `' || step_name || '` failed: ' || l.error_message || '.'
                                FROM saga.saga_step_logs AS l
                                WHERE l.saga_id = :id AND l.action = 'EXECUTE' AND l.gave_up
                                ORDER BY l.completed_at DESC
                                LIMIT 1), error_message) END
                    WHERE id = :id
                    RETURNING id, workflow_name, status, correlation_id),
                reopened AS (
                    UPDATE saga.saga_step_logs AS l
                    SET retry_at = now()
                    FROM freed
                    WHERE l.saga_id = freed.id AND l.action = 'COMPENSATE' AND l.gave_up AND l.retry_at IS NULL)
                SELECT saga.tell(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM freed
                """).bind("id", id.value()).mapTo(String.class).list();
    }

    /** False if the saga has got a signal of this name. */
    boolean signal(Tx tx, SagaId id, String name, JsonNode payload, @Nullable String by) {
        int sent = tx.update("""
                WITH sent AS (
                    INSERT INTO saga.signals (saga_id, name, payload, sent_by)
                    VALUES (:id, :name, CAST(:payload AS jsonb), :by)
                    ON CONFLICT (saga_id, name) DO NOTHING
                    RETURNING saga_id)
                UPDATE saga.saga_states AS s
                SET signals = s.signals + 1,
                    wake_at = CASE WHEN s.owner IS NULL AND NOT s.stuck THEN now() END,
                    updated_at = clock_timestamp()
                FROM sent
                WHERE s.id = sent.saga_id
                """)
                .bind("id", id.value())
                .bind("name", name)
                .bind("payload", payload.toString())
                .bind("by", by)
                .execute();
        return sent == 1;
    }
}
