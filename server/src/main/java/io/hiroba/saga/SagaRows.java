package io.hiroba.saga;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Mappers of rows to sagas and attempts; JSON is selected as text, and {@code owner IS NOT NULL} as {@code running}. */
final class SagaRows {

    private static final Pattern MILLISECONDS = Pattern.compile("\"milliseconds\":\"([0-9]{1,18})\"");

    private SagaRows() {}

    static Saga saga(ResultSet row) throws SQLException {
        var payload = json(row.getString("payload"));
        return saga(row, payload == null ? JsonMapper.shared().nullNode() : payload);
    }

    /** A saga without its payload, which is not among the columns. */
    static Saga summary(ResultSet row) throws SQLException {
        return saga(row, null);
    }

    private static Saga saga(ResultSet row, @Nullable JsonNode payload) throws SQLException {
        return new Saga(
                new SagaId(row.getObject("id", UUID.class)),
                row.getString("workflow_name"),
                row.getInt("workflow_version"),
                row.getInt("current_step"),
                SagaStatus.valueOf(row.getString("status")),
                payload,
                row.getString("correlation_id"),
                row.getString("initiated_by"),
                text(row, "error_message"),
                row.getBoolean("stuck"),
                row.getBoolean("running"),
                Columns.instantOrNull(row, "wake_at"),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "updated_at"),
                row.getString("waiting_for"),
                row.getInt("priority"));
    }

    static StepLog stepLog(ResultSet row) throws SQLException {
        return stepLog(row, "status", "error_message", row.getBoolean("left_out"));
    }

    /** As above, where the saga has the columns {@code status} and {@code error_message} of the row. */
    static StepLog stepLog(ResultSet row, String status, String error, boolean leftOut) throws SQLException {
        var startedAt = Columns.instant(row, "started_at");
        var completedAt = Columns.instantOrNull(row, "completed_at");
        return new StepLog(
                row.getInt("step_index"),
                row.getString("step_name"),
                StepAction.valueOf(row.getString("action")),
                row.getInt("attempt"),
                StepStatus.valueOf(row.getString(status)),
                json(row.getString("request_payload")),
                json(row.getString("response_payload")),
                text(row, error),
                startedAt,
                completedAt == null ? startedAt : completedAt,
                Columns.instantOrNull(row, "retry_at"),
                leftOut,
                json(row.getString("response_head")),
                row.getBoolean("maybe_done"));
    }

    /** Why something failed, if it did. What an older version stored may have a time as a number of milliseconds. */
    static @Nullable Text text(ResultSet row, String column) throws SQLException {
        var stored = row.getString(column);
        return stored == null
                ? null
                : StoredText.read(MILLISECONDS
                        .matcher(stored)
                        .replaceAll("\"time\":{\"key\":\"saga.duration.milliseconds\",\"arguments\":{\"count\":$1}}"));
    }

    static @Nullable JsonNode json(@Nullable String text) {
        return text == null ? null : JsonMapper.shared().readTree(text);
    }
}
