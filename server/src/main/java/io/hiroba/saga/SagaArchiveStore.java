package io.hiroba.saga;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.RowMapper;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.UuidV7;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Reads and deletes the sagas to archive. */
final class SagaArchiveStore {

    /** Each may hold two bodies of 1 MB. */
    private static final int FETCH_SIZE = 10;

    private static final String STEPS = """
            SELECT CAST(jsonb_build_object(
                'stepIndex', l.step_index, 'stepName', l.step_name, 'action', l.action,
                'attempt', l.attempt, 'status', l.status, 'request', l.request_payload,
                'response', l.response_payload, 'responseHead', l.response_head, 'maybeDone', l.maybe_done,
                'startedAt', l.started_at, 'completedAt', l.completed_at, 'retryAt', l.retry_at) AS text) AS item, l.error_message
            FROM saga.saga_step_logs AS l
            WHERE l.saga_id = :id
            ORDER BY l.completed_at, l.action DESC, l.step_index, l.attempt
            """;

    private static final String SIGNALS = """
            SELECT CAST(jsonb_build_object(
                'name', g.name, 'payload', g.payload, 'sentBy', g.sent_by, 'sentAt', g.sent_at) AS text) AS item
            FROM saga.signals AS g
            WHERE g.saga_id = :id
            ORDER BY g.sent_at, g.name
            """;

    private static final String RESOLUTIONS = """
            SELECT CAST(jsonb_build_object(
                'action', r.action, 'stepName', r.step_name, 'reason', r.reason, 'by', r.resolved_by, 'at', r.resolved_at,
                'undone', r.undone, 'formerPayload', r.was_payload) AS text) AS item
            FROM saga.resolutions AS r
            WHERE r.saga_id = :id
            ORDER BY r.number
            """;

    private static final String APPROVALS = """
            SELECT CAST(jsonb_build_object(
                'id', lpad(upper(to_hex(a.id)), 16, '0'), 'stepIndex', a.step_index, 'stepName', a.step_name, 'title', a.title,
                'text', a.body, 'form', a.form, 'quorum', a.quorum, 'state', a.state, 'openedAt', a.opened_at,
                'deadline', a.deadline, 'remindedAt', a.reminded_at, 'closedAt', a.closed_at,
                'assignees', (SELECT coalesce(jsonb_agg(lpad(upper(to_hex(s.user_id)), 16, '0') ORDER BY s.user_id), '[]')
                              FROM saga.approval_assignees AS s WHERE s.approval_id = a.id),
                'decisions', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                  'by', lpad(upper(to_hex(d.user_id)), 16, '0'), 'approved', d.approved, 'comment', d.comment,
                                  'answers', d.answers, 'at', d.decided_at) ORDER BY d.number), '[]')
                              FROM saga.approval_decisions AS d WHERE d.approval_id = a.id)) AS text) AS item
            FROM saga.approvals AS a
            WHERE a.saga_id = :id
            ORDER BY a.step_index
            """;

    private static final String TREE_IS_OVER = """
            (o.root_id IS NULL OR NOT EXISTS (
                        SELECT FROM saga.saga_states AS root
                        WHERE root.id = o.root_id
                          AND (root.updated_at >= :before
                               OR root.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED'))))""";

    /**
     * An id holds the time of creation, which bounds the scan: sagas created later cannot have ended before. A child is kept as
     * long as the saga at the root of its tree may have it undone.
     */
    static final String OLD = """
            WITH old AS MATERIALIZED (
                (SELECT id FROM saga.saga_states AS o
                 WHERE status = 'COMPLETED' AND id < :bound AND updated_at < :before AND %1$s
                 ORDER BY id LIMIT :max)
                UNION ALL
                (SELECT id FROM saga.saga_states AS o
                 WHERE status = 'FAILED' AND id < :bound AND updated_at < :before AND %1$s
                 ORDER BY id LIMIT :max)
                UNION ALL
                (SELECT id FROM saga.saga_states AS o
                 WHERE status = 'CANCELLED' AND id < :bound AND updated_at < :before AND %1$s
                 ORDER BY id LIMIT :max)
                ORDER BY id
                LIMIT :max)
            SELECT s.id
            FROM saga.saga_states AS s
            JOIN old ON old.id = s.id
            ORDER BY s.id
            FOR UPDATE OF s SKIP LOCKED
            """.formatted(TREE_IS_OVER);

    Instant now(Tx tx) {
        return tx.query("SELECT now()").mapTo(Instant.class).one();
    }

    /** Locks the oldest {@code max} sagas that ended before {@code before}, skipping locked ones. */
    List<SagaId> lockOld(Tx tx, Instant before, int max) {
        return query(tx, OLD, before, max)
                .map(row -> new SagaId(row.getObject("id", UUID.class)))
                .list();
    }

    /** The bound statement; also for tests of its plan. */
    static Query query(Reads reads, String sql, Instant before, int max) {
        return reads.query(sql)
                .bind("bound", UuidV7.lowestAt(before.toEpochMilli() + 1))
                .bind("before", before)
                .bind("max", max);
    }

    /**
     * Passes on each saga with its attempts, signals, resolutions and approvals as one line of JSON, in the order of the ids. The lines are built
     * here: as one value of the database, a saga with many attempts would be too large.
     */
    void read(Tx tx, List<SagaId> ids, Consumer<String> text) {
        tx.update("SET LOCAL TimeZone = 'UTC'").execute();
        for (var id : ids) {
            var saga = saga(tx, id);
            text.accept(saga.substring(0, saga.length() - 1) + ", \"steps\": [");
            each(tx, STEPS, id, SagaArchiveStore::withError, text);
            text.accept("], \"signals\": [");
            each(tx, SIGNALS, id, row -> row.getString("item"), text);
            text.accept("], \"resolutions\": [");
            each(tx, RESOLUTIONS, id, row -> row.getString("item"), text);
            text.accept("], \"approvals\": [");
            each(tx, APPROVALS, id, row -> row.getString("item"), text);
            text.accept("]}\n");
        }
    }

    private static String saga(Tx tx, SagaId id) {
        return tx.query("""
                SELECT CAST(jsonb_build_object(
                    'id', s.id, 'workflowName', s.workflow_name, 'workflowVersion', s.workflow_version,
                    'currentStep', s.current_step, 'status', s.status, 'payload', s.payload,
                    'correlationId', s.correlation_id, 'initiatedBy', s.initiated_by,
                    'traceparent', s.traceparent, 'createdAt', s.created_at, 'updatedAt', s.updated_at,
                    'priority', s.priority,
                    'attributes', (SELECT coalesce(jsonb_object_agg(t.name, coalesce(
                                       to_jsonb(t.text_value), to_jsonb(t.number_value), to_jsonb(t.boolean_value),
                                       to_jsonb(t.date_value))), '{}')
                                   FROM saga.saga_attributes AS t WHERE t.saga_id = s.id))
                    || jsonb_strip_nulls(jsonb_build_object(
                        'parentId', s.parent_id, 'parentStep', s.parent_step, 'childIndex', s.child_index,
                        'continuedFrom', s.continued_from, 'continuedAs', s.continued_as)) AS text) AS item,
                    s.error_message
                FROM saga.saga_states AS s
                WHERE s.id = :id
                """)
                .bind("id", id.value())
                .map(SagaArchiveStore::withError)
                .one();
    }

    /** The item with its error in English, which is stored as a message. */
    private static String withError(ResultSet row) throws SQLException {
        var item = row.getString("item");
        var error = SagaRows.text(row, "error_message");
        var words = error == null ? "null" : Json.text(error.toString());
        return item.substring(0, item.length() - 1) + ", \"errorMessage\": " + words + "}";
    }

    private static void each(Tx tx, String sql, SagaId id, RowMapper<String> item, Consumer<String> text) {
        tx.query(sql)
                .bind("id", id.value())
                .setFetchSize(FETCH_SIZE)
                .map(row -> (row.isFirst() ? "" : ", ") + item.map(row))
                .forEach(text);
    }

    int delete(Tx tx, List<SagaId> ids) {
        return tx.update("DELETE FROM saga.saga_states WHERE id = ANY (:ids)")
                .bindArray("ids", UUID.class, ids, SagaId::value)
                .execute();
    }
}
