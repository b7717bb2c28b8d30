package io.hiroba.saga;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sagas and attempts from rows with the columns of their tables; JSON is selected as text, and {@code owner} as running. */
public final class SagaRows {

    private SagaRows() {}

    public static Saga saga(ResultSet row) throws SQLException {
        var payload = json(row.getString("payload"));
        return new Saga(
                new SagaId(row.getObject("id", UUID.class)),
                row.getString("workflow_name"),
                row.getInt("workflow_version"),
                row.getInt("current_step"),
                SagaStatus.valueOf(row.getString("status")),
                payload == null ? JsonMapper.shared().nullNode() : payload,
                row.getString("correlation_id"),
                row.getString("initiated_by"),
                row.getString("error_message"),
                row.getBoolean("stuck"),
                row.getBoolean("running"),
                time(row, "wake_at"),
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("updated_at").toInstant());
    }

    public static StepLog stepLog(ResultSet row) throws SQLException {
        var startedAt = row.getTimestamp("started_at").toInstant();
        var completedAt = time(row, "completed_at");
        return new StepLog(
                row.getInt("step_index"),
                row.getString("step_name"),
                StepAction.valueOf(row.getString("action")),
                row.getInt("attempt"),
                StepStatus.valueOf(row.getString("status")),
                json(row.getString("request_payload")),
                json(row.getString("response_payload")),
                row.getString("error_message"),
                startedAt,
                completedAt == null ? startedAt : completedAt,
                time(row, "retry_at"),
                false);
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        var value = row.getTimestamp(column);
        return value == null ? null : value.toInstant();
    }

    private static @Nullable JsonNode json(@Nullable String text) {
        return text == null ? null : JsonMapper.shared().readTree(text);
    }
}
