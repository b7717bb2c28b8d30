package io.hiroba.records.transfer;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.records.ProjectId;
import io.hiroba.records.transfer.Import.Progress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Imports as people ask for them. */
final class ImportStore {

    static final String COLUMNS = """
            id, project_id, schema_name, created_by, options, source, state, size, received, position, line, bytes_read,
            row_count, error_count, failure, ended_at
            """;

    void insert(Tx tx, Import made) {
        tx.update("""
                INSERT INTO records.imports (id, project_id, schema_name, created_by, options, source, size)
                VALUES (:id, :project, :schema, :by, CAST(:options AS jsonb), :source, :size)
                """)
                .bind("id", made.id().value())
                .bind("project", made.project().value())
                .bind("schema", made.schema())
                .bind("by", made.by().value())
                .bind("options", Json.text(made.options()))
                .bind("source", made.source())
                .bind("size", made.size())
                .execute();
    }

    Optional<Import> find(Reads reads, ProjectId project, ImportId id) {
        return reads.query("SELECT %s FROM records.imports WHERE project_id = :project AND id = :id".formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> read(row))
                .findOne();
    }

    /** Nobody else changes it until {@code tx} ends. */
    Optional<Import> lock(Tx tx, ProjectId project, ImportId id) {
        return tx.query("SELECT %s FROM records.imports WHERE project_id = :project AND id = :id FOR UPDATE"
                        .formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> read(row))
                .findOne();
    }

    /** The newest first; of {@code source} only, unless that is null, and of {@code by} only, unless that is null. */
    List<Import> list(
            Reads reads, ProjectId project, @Nullable UserId by, @Nullable String source, long before, int limit) {
        return reads.query("""
                SELECT %s
                FROM records.imports
                WHERE project_id = :project AND id < :before
                  AND (CAST(:by AS bigint) IS NULL OR created_by = :by)
                  AND (CAST(:source AS text) IS NULL OR source = :source)
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("by", by == null ? null : (Long) by.value())
                .bind("source", source)
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> read(row))
                .list();
    }

    /** How many of {@code by} in {@code project} are not over. */
    int unfinished(Reads reads, ProjectId project, UserId by) {
        return reads.query("""
                SELECT count(*)
                FROM records.imports
                WHERE project_id = :project AND created_by = :by AND state IN ('UPLOADING', 'RUNNING')
                """)
                .bind("project", project.value())
                .bind("by", by.value())
                .mapTo(Integer.class)
                .one();
    }

    void setReceived(Tx tx, ImportId id, long received) {
        tx.update("UPDATE records.imports SET received = :received, updated_at = now() WHERE id = :id")
                .bind("id", id.value())
                .bind("received", received)
                .execute();
    }

    void setOptions(Tx tx, ImportId id, ImportOptions options) {
        tx.update("UPDATE records.imports SET options = CAST(:options AS jsonb) WHERE id = :id")
                .bind("id", id.value())
                .bind("options", Json.text(options))
                .execute();
    }

    void setState(Tx tx, ImportId id, ImportState state) {
        tx.update("""
                UPDATE records.imports
                SET state = :state, fence = fence + 1, leased_until = NULL, updated_at = now(),
                    ended_at = CASE WHEN :over THEN now() END
                WHERE id = :id
                """)
                .bind("id", id.value())
                .bind("state", state.name())
                .bind("over", state.isOver())
                .execute();
    }

    List<LineError> errors(Reads reads, ImportId id, int limit) {
        return reads.query("""
                SELECT line, field, message FROM records.import_errors WHERE import_id = :id ORDER BY number LIMIT :limit
                """)
                .bind("id", id.value())
                .bind("limit", limit)
                .map(row -> new LineError(row.getLong("line"), row.getString("field"), row.getString("message")))
                .list();
    }

    /** Ends what nobody has gone on with for {@code patience}; answers which. */
    List<ImportId> abandon(Tx tx, Duration patience, int limit) {
        return tx.query("""
                UPDATE records.imports
                SET state = 'CANCELLED', failure = 'It was not started for a week.', updated_at = now(), ended_at = now()
                WHERE id IN (
                    SELECT id FROM records.imports
                    WHERE state = 'UPLOADING' AND updated_at < now() - make_interval(secs => :patience)
                    ORDER BY updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
                RETURNING id
                """)
                .bind("patience", patience.toSeconds())
                .bind("limit", limit)
                .map(row -> new ImportId(row.getLong("id")))
                .list();
    }

    static Import read(ResultSet row) throws SQLException {
        long size = row.getLong("size");
        var known = row.wasNull() ? null : (Long) size;
        Timestamp ended = row.getTimestamp("ended_at");
        return new Import(
                new ImportId(row.getLong("id")),
                new ProjectId(row.getLong("project_id")),
                row.getString("schema_name"),
                new UserId(row.getLong("created_by")),
                Json.mapper().readValue(row.getString("options"), ImportOptions.class),
                row.getString("source"),
                ImportState.valueOf(row.getString("state")),
                known,
                row.getLong("received"),
                new Progress(
                        row.getLong("position"),
                        row.getLong("line"),
                        row.getLong("bytes_read"),
                        row.getLong("row_count"),
                        row.getLong("error_count")),
                row.getString("failure"),
                ended == null ? null : ended.toInstant());
    }
}
