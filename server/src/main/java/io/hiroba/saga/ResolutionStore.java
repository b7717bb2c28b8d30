package io.hiroba.saga;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes what operators decide about sagas by hand. Their rows are locked, and the fence goes up, so that a node that works on
 * one of them writes nothing afterwards.
 */
final class ResolutionStore {

    private static final int MAX_LISTED = 100;

    /** The resolutions of a saga, the newest first. */
    List<SagaDetails.Resolved> list(Reads reads, SagaId id) {
        return reads.query("""
                SELECT r.action, r.step_name, r.step_action, r.reason, r.resolved_by, u.nickname, r.resolved_at, r.undone,
                       r.was_payload::text AS payload
                FROM saga.resolutions AS r
                LEFT JOIN accounts.user_card AS u
                  ON u.id = CASE WHEN r.resolved_by ~ '^[0-9A-F]{16}$' THEN CAST(CAST('x' || r.resolved_by AS bit(64)) AS bigint) END
                WHERE r.saga_id = :id
                ORDER BY r.number DESC
                LIMIT :max
                """)
                .bind("id", id.value())
                .bind("max", MAX_LISTED)
                .map(row -> new SagaDetails.Resolved(
                        row.getString("action"),
                        row.getString("step_name"),
                        action(row.getString("step_action")),
                        row.getString("reason"),
                        row.getString("resolved_by"),
                        row.getString("nickname"),
                        Columns.instant(row, "resolved_at"),
                        row.getBoolean("undone"),
                        SagaRows.json(row.getString("payload"))))
                .list();
    }

    private static @Nullable StepAction action(@Nullable String name) {
        return name == null ? null : StepAction.valueOf(name);
    }

    /** The decision to write: about a step where that is set. */
    record Decided(
            String action,
            @Nullable Integer step,
            @Nullable String stepName,
            @Nullable StepAction stepAction,
            @Nullable String reason,
            String by) {}

    void insert(Tx tx, SagaId id, Decided decided, boolean keepsPayload) {
        var stepAction = decided.stepAction();
        tx.update("""
                INSERT INTO saga.resolutions (
                    saga_id, number, action, step_index, step_name, step_action, reason, resolved_by, was_stuck, was_error,
                    was_payload)
                SELECT s.id, 1 + coalesce((SELECT max(number) FROM saga.resolutions WHERE saga_id = s.id), 0), :action,
                       CAST(:step AS int), :name, :stepAction, :reason, :by, s.stuck, s.error_message,
                       CASE WHEN :payload THEN coalesce(s.payload, 'null') END
                FROM saga.saga_states AS s
                WHERE s.id = :id
                """)
                .bind("id", id.value())
                .bind("action", decided.action())
                .bind("step", decided.step())
                .bind("name", decided.stepName())
                .bind("stepAction", stepAction == null ? null : stepAction.name())
                .bind("reason", decided.reason())
                .bind("by", decided.by())
                .bind("payload", keepsPayload)
                .execute();
    }

    /**
     * Logs an attempt that nobody made: an operator says how the step ended.
     *
     * @param maybeDone whether a call of it may be under way
     */
    void log(Tx tx, SagaId id, Decided decided, StepStatus status, @Nullable JsonNode answer, boolean maybeDone) {
        tx.update("""
                INSERT INTO saga.saga_step_logs (
                    saga_id, step_index, action, attempt, step_name, status, response_payload, maybe_done, started_at,
                    completed_at)
                SELECT :id, :step, :action,
                       1 + coalesce((SELECT max(attempt) FROM saga.saga_step_logs
                                     WHERE saga_id = :id AND step_index = :step AND action = :action), 0),
                       :name, :status, CAST(:answer AS jsonb), :maybeDone, clock_timestamp(), clock_timestamp()
                """)
                .bind("id", id.value())
                .bind("step", decided.step())
                .bind("action", String.valueOf(decided.stepAction()))
                .bind("name", decided.stepName())
                .bind("status", status.name())
                .bind("answer", StorableJson.text(answer))
                .bind("maybeDone", maybeDone)
                .execute();
    }

    /**
     * Takes the saga from whoever works on it, after a step was resolved; it is due at once.
     *
     * @param inDoubt whether executions of other steps may be under way
     */
    void release(Tx tx, SagaId id, StepAction resolved, boolean inDoubt) {
        tx.update("""
                UPDATE saga.saga_states
                SET owner = NULL, wake_at = now(), fence = fence + 1,
                    in_doubt = CASE WHEN :executed THEN :doubt ELSE in_doubt END, updated_at = clock_timestamp()
                WHERE id = :id
                """)
                .bind("id", id.value())
                .bind("executed", resolved == StepAction.EXECUTE)
                .bind("doubt", inDoubt)
                .execute();
    }

    /** Ends the saga as it is: nothing more is executed or undone. */
    void end(Tx tx, SagaId id, SagaStatus status, @Nullable Text error) {
        tx.query("""
                WITH ended AS (
                    UPDATE saga.saga_states
                    SET status = :status, owner = NULL, wake_at = NULL, stuck = false, in_doubt = false, fence = fence + 1,
                        waiting_for = NULL, error_message = :error, updated_at = clock_timestamp()
                    WHERE id = :id
                    RETURNING id, workflow_name, status, correlation_id)
                SELECT saga.append_events(
                    array_agg('saga-changed'::text), array_agg(id), array_agg(workflow_name::text),
                    array_agg(status::text), array_agg(correlation_id::text))
                FROM ended
                """)
                .bind("id", id.value())
                .bind("status", status.name())
                .bind("error", error == null ? null : StoredText.write(error))
                .mapTo(String.class)
                .list();
    }

    void setPayload(Tx tx, SagaId id, JsonNode payload) {
        tx.update("""
                UPDATE saga.saga_states
                SET payload = CAST(:payload AS jsonb), fence = fence + 1, updated_at = clock_timestamp()
                WHERE id = :id
                """)
                .bind("id", id.value())
                .bind("payload", StorableJson.text(payload))
                .execute();
    }

    /**
     * The last resolution, if it is one that can be undone and no attempt has ended since.
     *
     * @param payload the one that it replaced; null where it replaced none
     */
    record Last(
            int number,
            String action,
            @Nullable Integer step,
            @Nullable String stepName,
            @Nullable StepAction stepAction,
            @Nullable JsonNode payload) {}

    Optional<Last> undoable(Tx tx, SagaId id) {
        return tx.query("""
                SELECT r.number, r.action, r.step_index, r.step_name, r.step_action, r.was_payload::text AS payload
                FROM saga.resolutions AS r
                WHERE r.saga_id = :id AND NOT r.undone AND r.action NOT IN ('undo', 'migrate')
                  AND NOT EXISTS (SELECT FROM saga.resolutions AS later
                                  WHERE later.saga_id = :id AND later.number > r.number AND NOT later.undone
                                    AND later.action NOT IN ('undo', 'migrate'))
                  AND NOT EXISTS (SELECT FROM saga.saga_step_logs AS l
                                  WHERE l.saga_id = :id AND l.completed_at > r.resolved_at)
                """)
                .bind("id", id.value())
                .map(row -> {
                    var action = row.getString("step_action");
                    return new Last(
                            row.getInt("number"),
                            row.getString("action"),
                            row.getObject("step_index", Integer.class),
                            row.getString("step_name"),
                            action == null ? null : StepAction.valueOf(action),
                            SagaRows.json(row.getString("payload")));
                })
                .findOne();
    }

    /** Puts the payload back, or opens the step again, and leaves the saga stuck if it was. */
    void undo(Tx tx, SagaId id, Last last, Text reason) {
        if (last.step() != null) {
            tx.update("""
                    INSERT INTO saga.saga_step_logs (
                        saga_id, step_index, action, attempt, step_name, status, error_message, started_at, completed_at,
                        retry_at, gave_up)
                    SELECT r.saga_id, r.step_index, r.step_action, max(l.attempt) + 1, r.step_name, 'FAILED', :reason,
                           clock_timestamp(), clock_timestamp(),
                           CASE WHEN NOT r.was_stuck OR r.step_action = 'EXECUTE' THEN now() END, true
                    FROM saga.resolutions AS r
                    JOIN saga.saga_step_logs AS l
                      ON l.saga_id = r.saga_id AND l.step_index = r.step_index AND l.action = r.step_action
                    WHERE r.saga_id = :id AND r.number = :number
                    GROUP BY r.saga_id, r.number
                    """)
                    .bind("id", id.value())
                    .bind("number", last.number())
                    .bind("reason", StoredText.write(reason))
                    .execute();
        }
        tx.query("""
                WITH undone AS (
                    UPDATE saga.resolutions SET undone = true
                    WHERE saga_id = :id AND number = :number
                    RETURNING saga_id, step_index, was_stuck, was_error, was_payload),
                back AS (
                    UPDATE saga.saga_states AS s
                    SET stuck = u.was_stuck, error_message = u.was_error, fence = s.fence + 1,
                        payload = CASE WHEN u.was_payload IS NULL THEN s.payload ELSE nullif(u.was_payload, 'null') END,
                        wake_at = CASE WHEN u.was_stuck THEN NULL WHEN u.step_index IS NULL THEN s.wake_at ELSE now() END,
                        updated_at = clock_timestamp()
                    FROM undone AS u
                    WHERE s.id = u.saga_id
                    RETURNING s.id, s.workflow_name, s.status, s.correlation_id, s.stuck, u.step_index)
                SELECT saga.append_events(
                    array_agg('saga-stuck'::text), array_agg(id), array_agg(workflow_name::text), array_agg(status::text),
                    array_agg(correlation_id::text))
                FROM back
                WHERE stuck AND step_index IS NOT NULL
                """)
                .bind("id", id.value())
                .bind("number", last.number())
                .mapTo(String.class)
                .list();
    }
}
