package io.hiroba.saga;

import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sagas and their logs, to be shown. */
final class SagaStore {

    /** Above every id. */
    static final SagaId NEWEST = new SagaId(new UUID(-1, -1));

    private static final long MOST_BODIES = 8 << 20;

    /** A saga and the attempts at its steps, in the order in which they ended up in the log of each step. */
    record Logged(Saga saga, List<StepLog> log) {}

    Optional<Saga> find(Reads reads, SagaId id) {
        return reads.query("""
                SELECT id, workflow_name, workflow_version, current_step, status, correlation_id, initiated_by,
                       error_message, stuck, owner, wake_at, created_at, updated_at, payload::text AS payload
                FROM saga.saga_states
                WHERE id = :id
                """)
                .bind("id", id.value())
                .map((row, ctx) -> saga(row))
                .findOne();
    }

    /**
     * One statement, so that row and log belong together; the payload comes with the first row only. What was sent and
     * answered is left out once there is more of it than {@link #MOST_BODIES}: nobody reads that, and it would not fit.
     */
    Optional<Logged> withLog(Reads reads, SagaId id) {
        var log = new ArrayList<StepLog>();
        return reads
                .query("""
                SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
                       s.initiated_by, s.error_message, s.stuck, s.owner, s.wake_at, s.created_at, s.updated_at,
                       CASE WHEN row_number() OVER attempts = 1 THEN s.payload::text END AS payload,
                       l.step_index, l.step_name, l.action, l.attempt, l.status AS step_status,
                       CASE WHEN l.bodies <= :most THEN l.request_payload::text END AS request,
                       CASE WHEN l.bodies <= :most THEN l.response_payload::text END AS answer, l.bodies > :most AS left_out,
                       l.error_message AS error, l.started_at, l.completed_at, l.retry_at
                FROM saga.saga_states AS s
                LEFT JOIN LATERAL (
                    SELECT step_index, step_name, action, attempt, status, request_payload, response_payload,
                           error_message, started_at, completed_at, retry_at,
                           sum(coalesce(pg_column_size(request_payload), 0) + coalesce(pg_column_size(response_payload), 0))
                               OVER (ORDER BY step_index, action DESC, attempt) AS bodies
                    FROM saga.saga_step_logs
                    WHERE saga_id = s.id) AS l ON true
                WHERE s.id = :id
                WINDOW attempts AS (ORDER BY l.step_index, l.action DESC, l.attempt)
                ORDER BY l.step_index, l.action DESC, l.attempt
                """)
                .bind("id", id.value())
                .bind("most", MOST_BODIES)
                .map((row, ctx) -> {
                    if (row.getString("step_name") != null) {
                        log.add(log(row));
                    }
                    return saga(row);
                })
                .list()
                .stream()
                .findFirst()
                .map(saga -> new Logged(saga, log));
    }

    List<SagaSummary> list(Reads reads, SagaFilter filter, SagaId after, int limit) {
        return query(reads, SagaSql.list(filter), filter, after, limit)
                .map((row, ctx) -> summary(row))
                .list();
    }

    /** The bound statement, for its plan to be looked at as well. */
    static Query query(Reads reads, String sql, SagaFilter filter, SagaId after, int limit) {
        var query = reads.query(sql).bind("after", after.value()).bind("limit", limit);
        var status = filter.status();
        if (filter.workflowName() != null) {
            query.bind("workflow", filter.workflowName());
        }
        if (status != null) {
            query.bind("status", status.name());
        }
        if (filter.correlationId() != null) {
            query.bind("correlation", filter.correlationId());
        }
        return query;
    }

    private static SagaSummary summary(ResultSet row) throws SQLException {
        row.getLong("owner");
        boolean running = !row.wasNull();
        return new SagaSummary(
                new SagaId(row.getObject("id", UUID.class)),
                row.getString("workflow_name"),
                row.getInt("workflow_version"),
                row.getInt("current_step"),
                SagaStatus.valueOf(row.getString("status")),
                row.getString("correlation_id"),
                row.getString("initiated_by"),
                row.getString("error_message"),
                row.getBoolean("stuck"),
                running,
                instant(row, "wake_at"),
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("updated_at").toInstant());
    }

    private static Saga saga(ResultSet row) throws SQLException {
        var saga = summary(row);
        var payload = json(row, "payload");
        return new Saga(
                saga.id(),
                saga.workflowName(),
                saga.workflowVersion(),
                saga.currentStep(),
                saga.status(),
                payload == null ? JsonMapper.shared().nullNode() : payload,
                saga.correlationId(),
                saga.initiatedBy(),
                saga.errorMessage(),
                saga.stuck(),
                saga.running(),
                saga.wakeAt(),
                saga.createdAt(),
                saga.updatedAt());
    }

    private static StepLog log(ResultSet row) throws SQLException {
        var started = row.getTimestamp("started_at").toInstant();
        var completed = instant(row, "completed_at");
        return new StepLog(
                row.getInt("step_index"),
                row.getString("step_name"),
                StepAction.valueOf(row.getString("action")),
                row.getInt("attempt"),
                StepStatus.valueOf(row.getString("step_status")),
                json(row, "request"),
                json(row, "answer"),
                row.getString("error"),
                started,
                completed == null ? started : completed,
                instant(row, "retry_at"),
                row.getBoolean("left_out"));
    }

    private static @Nullable JsonNode json(ResultSet row, String column) throws SQLException {
        var text = row.getString(column);
        return text == null ? null : JsonMapper.shared().readTree(text);
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
