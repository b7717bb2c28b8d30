package io.hiroba.saga;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Searches the attempts at steps of any saga. Failed attempts by the step's name are a scan of their partial index; other
 * searches read the blocks that the BRIN index of times selects.
 */
final class StepLogStore {

    List<FoundAttempt> search(Reads reads, StepFilter filter, Optional<FoundAttempt.Position> after, int limit) {
        return query(reads, sql(filter, after.isPresent()), filter, after, limit)
                .map(StepLogStore::found)
                .list();
    }

    /** Whether a step was executed, or skipped. */
    boolean isDone(Reads reads, SagaId id, int step) {
        return reads.query("""
                        SELECT status IN ('SUCCESS', 'SKIPPED') FROM saga.saga_step_logs
                        WHERE saga_id = :id AND step_index = :step AND action = 'EXECUTE'
                        ORDER BY attempt DESC
                        LIMIT 1
                        """)
                .bind("id", id.value())
                .bind("step", step)
                .mapTo(Boolean.class)
                .findOne()
                .orElse(false);
    }

    static String sql(StepFilter filter, boolean goesOn) {
        var conditions = new ArrayList<String>();
        conditions.add("l.started_at >= :from AND l.started_at < :to");
        if (filter.stepName() != null) {
            conditions.add("l.step_name = :step");
        }
        if (filter.status() != null) {
            conditions.add("l.status = :status");
        }
        if (filter.action() != null) {
            conditions.add("l.action = :action");
        }
        if (filter.isTrouble()) {
            // The predicate of the partial index, so that generic plans can use it.
            conditions.add("(l.status <> 'SUCCESS' OR l.action <> 'EXECUTE')");
        }
        if (goesOn) {
            conditions.add("""
                    l.started_at <= :startedAt
                          AND (l.started_at, l.saga_id, l.step_index, l.action, l.attempt)
                            < (:startedAt, :saga, :index, :lastAction, :attempt)""");
        }
        return """
                SELECT page.saga_id, s.workflow_name, page.step_index, page.step_name, page.action, page.attempt,
                       page.status, page.error_message, page.started_at, page.completed_at, page.retry_at
                FROM (
                    SELECT l.saga_id, l.step_index, l.step_name, l.action, l.attempt, l.status, l.error_message,
                           l.started_at, l.completed_at, l.retry_at
                    FROM saga.saga_step_logs AS l
                    WHERE %s
                    ORDER BY l.started_at DESC, l.saga_id DESC, l.step_index DESC, l.action DESC, l.attempt DESC
                    LIMIT :limit) AS page
                JOIN saga.saga_states AS s ON s.id = page.saga_id
                ORDER BY page.started_at DESC, page.saga_id DESC, page.step_index DESC, page.action DESC, page.attempt DESC
                """.formatted(String.join("\n      AND ", conditions));
    }

    /** The bound statement; also for tests of its plan. */
    static Query query(Reads reads, String sql, StepFilter filter, Optional<FoundAttempt.Position> after, int limit) {
        var query = reads.queryPlannedAnew(sql)
                .bind("from", filter.from())
                .bind("to", filter.to())
                .bind("limit", limit);
        var status = filter.status();
        var action = filter.action();
        if (filter.stepName() != null) {
            query.bind("step", filter.stepName());
        }
        if (status != null) {
            query.bind("status", status.name());
        }
        if (action != null) {
            query.bind("action", action.name());
        }
        after.ifPresent(last -> query.bind("startedAt", last.startedAt())
                .bind("saga", last.saga().value())
                .bind("index", last.stepIndex())
                .bind("lastAction", last.action().name())
                .bind("attempt", last.attempt()));
        return query;
    }

    private static FoundAttempt found(ResultSet row) throws SQLException {
        return new FoundAttempt(
                new SagaId(row.getObject("saga_id", UUID.class)),
                row.getString("workflow_name"),
                row.getInt("step_index"),
                row.getString("step_name"),
                StepAction.valueOf(row.getString("action")),
                row.getInt("attempt"),
                StepStatus.valueOf(row.getString("status")),
                SagaRows.text(row, "error_message"),
                Columns.instant(row, "started_at"),
                Columns.instantOrNull(row, "completed_at"),
                Columns.instantOrNull(row, "retry_at"));
    }
}
