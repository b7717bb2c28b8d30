package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectId;
import io.hiroba.records.RowId;
import io.hiroba.records.query.BulkEdit.Operation;
import io.hiroba.records.query.BulkEdit.Progress;
import io.hiroba.records.query.BulkEdit.Refusal;
import io.hiroba.records.query.BulkEdit.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads and writes bulk edits and the records that they wrote. What is claimed is locked until the transaction ends. */
final class BulkEditStore {

    private static final String COLUMNS = """
            id, project_id, schema_id, operation, undoes, condition, changes, state, total, written, refused, refusals, newest, position,
            in_pass, failure, created_by, created_at, ended_at
            """;

    /** A refusal as it is stored. */
    private record StoredRefusal(String row, String reason) {}

    /** A record that was written, with the version that it got. */
    record WrittenRow(RowId id, int version) {}

    void insert(Tx tx, BulkEdit edit) {
        tx.update("""
                INSERT INTO records.bulk_edits (id, project_id, schema_id, operation, undoes, condition, changes, state, total, newest,
                    position, created_by, created_at)
                VALUES (:id, :project, :schema, :operation, :undoes, CAST(:condition AS jsonb), CAST(:changes AS jsonb), :state, :total,
                    :newest, :position, :by, :at)
                """)
                .bind("id", edit.id())
                .bind("project", edit.project().value())
                .bind("schema", edit.schema())
                .bind("operation", edit.operation().name())
                .bind("undoes", edit.undoes())
                .bind("condition", text(edit.condition()))
                .bind("changes", text(edit.changes()))
                .bind("state", edit.state().name())
                .bind("total", edit.progress().total())
                .bind("newest", edit.progress().newest())
                .bind("position", edit.progress().position())
                .bind("by", edit.by().value())
                .bind("at", time(edit.createdAt()))
                .execute();
    }

    private static @Nullable String text(@Nullable JsonNode json) {
        return json == null ? null : json.toString();
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    Optional<BulkEdit> find(Reads reads, ProjectId project, long id) {
        return reads.query(
                        "SELECT %s FROM records.bulk_edits WHERE project_id = :project AND id = :id".formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id)
                .map(BulkEditStore::read)
                .findOne();
    }

    int countRunning(Reads reads, ProjectId project) {
        return reads.query("SELECT count(*) FROM records.bulk_edits WHERE project_id = :project AND state = 'RUNNING'")
                .bind("project", project.value())
                .mapTo(Integer.class)
                .one();
    }

    /** The next that no node works on, locked until {@code tx} ends. */
    Optional<BulkEdit> claim(Tx tx) {
        return tx.query("""
                SELECT %s FROM records.bulk_edits
                WHERE state = 'RUNNING' AND (retry_at IS NULL OR retry_at <= now())
                ORDER BY taken_at NULLS FIRST, id LIMIT 1 FOR UPDATE SKIP LOCKED
                """.formatted(COLUMNS)).map(BulkEditStore::read).findOne();
    }

    void advance(Tx tx, long id, Progress progress) {
        tx.update("""
                UPDATE records.bulk_edits
                SET written = :written, refused = :refused, refusals = CAST(:refusals AS jsonb), position = :position, in_pass = :pass,
                    taken_at = clock_timestamp(), attempts = 0, retry_at = NULL
                WHERE id = :id
                """)
                .bind("id", id)
                .bind("written", progress.written())
                .bind("refused", progress.refused())
                .bind(
                        "refusals",
                        Json.text(progress.refusals().stream()
                                .map(each -> new StoredRefusal(each.row(), StoredText.write(each.reason())))
                                .toList()))
                .bind("position", progress.position())
                .bind("pass", progress.inPass())
                .execute();
    }

    /** Ends one that is under way. */
    void end(Tx tx, long id, State state, @Nullable Text failure, Instant now) {
        tx.update("""
                UPDATE records.bulk_edits SET state = :state, failure = :failure, ended_at = :now
                WHERE id = :id AND state = 'RUNNING'
                """)
                .bind("id", id)
                .bind("state", state.name())
                .bind("failure", failure == null ? null : StoredText.write(failure))
                .bind("now", time(now))
                .execute();
    }

    /** Notes a failure that may pass, and returns how many there were since anything was written. */
    int retry(Tx tx, long id, Duration delay) {
        return tx.query("""
                UPDATE records.bulk_edits SET attempts = attempts + 1, retry_at = now() + make_interval(secs => :delay)
                WHERE id = :id RETURNING attempts
                """)
                .bind("id", id)
                .bind("delay", delay.toMillis() / 1000.0)
                .mapTo(Integer.class)
                .findOne()
                .orElse(0);
    }

    void addRows(Tx tx, long id, List<WrittenRow> rows) {
        tx.update("""
                INSERT INTO records.bulk_edit_rows (edit_id, row_id, version)
                SELECT :edit, n.row_id, n.version FROM unnest(:ids, :versions) AS n (row_id, version)
                ON CONFLICT (edit_id, row_id) DO UPDATE SET version = excluded.version
                """)
                .bind("edit", id)
                .bindArray(
                        "ids",
                        UUID.class,
                        rows.stream().map(each -> each.id().value()).toArray())
                .bindArray(
                        "versions",
                        Integer.class,
                        rows.stream().map(WrittenRow::version).toArray())
                .execute();
    }

    /** The next records that {@code edit} wrote, the oldest first: a record is there before those that refer to it. */
    List<WrittenRow> rows(Reads reads, long edit, UUID after, int limit) {
        return reads.query("""
                SELECT row_id, version FROM records.bulk_edit_rows
                WHERE edit_id = :edit AND row_id > :after ORDER BY row_id LIMIT :limit
                """)
                .bind("edit", edit)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new WrittenRow(new RowId(row.getObject("row_id", UUID.class)), row.getInt("version")))
                .list();
    }

    /** Deletes up to {@code limit} rows of edits that cannot be undone any more, and returns how many. */
    int deleteRows(Tx tx, Instant before, int limit) {
        return tx.update("""
                DELETE FROM records.bulk_edit_rows
                WHERE ctid = ANY (ARRAY(
                    SELECT r.ctid FROM records.bulk_edits AS e
                    JOIN records.bulk_edit_rows AS r ON r.edit_id = e.id
                    WHERE e.ended_at < :before LIMIT :limit))
                """).bind("before", time(before)).bind("limit", limit).execute();
    }

    /** Deletes edits that nobody asks for any more; their rows are gone. */
    void deleteOld(Tx tx, Instant before) {
        tx.update("DELETE FROM records.bulk_edits WHERE ended_at < :before")
                .bind("before", time(before))
                .execute();
    }

    private static BulkEdit read(ResultSet row) throws SQLException {
        long undoes = row.getLong("undoes");
        boolean isUndo = !row.wasNull();
        var failure = row.getString("failure");
        return new BulkEdit(
                row.getLong("id"),
                new ProjectId(row.getLong("project_id")),
                row.getShort("schema_id"),
                Operation.valueOf(row.getString("operation")),
                isUndo ? (Long) undoes : null,
                json(row.getString("condition")),
                json(row.getString("changes")),
                State.valueOf(row.getString("state")),
                new Progress(
                        row.getLong("total"),
                        row.getLong("written"),
                        row.getLong("refused"),
                        Stream.of(Json.mapper().readValue(row.getString("refusals"), StoredRefusal[].class))
                                .map(each -> new Refusal(each.row(), StoredText.read(each.reason())))
                                .toList(),
                        row.getObject("newest", UUID.class),
                        row.getObject("position", UUID.class),
                        row.getLong("in_pass")),
                failure == null ? null : StoredText.read(failure),
                new UserId(row.getLong("created_by")),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "ended_at"));
    }

    private static @Nullable JsonNode json(@Nullable String text) {
        return text == null ? null : Documents.exact().readTree(text);
    }
}
