package io.hiroba.records.transfer;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Schema;
import io.hiroba.records.transfer.Import.Progress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes imports, their claims and their errors. All times are the database's, since the nodes' clocks may
 * differ.
 */
final class ImportStore {

    static final String COLUMNS = """
            id, project_id, schema_name, schema_id, created_by, options, source, state, size, received, position, line, bytes_read,
            row_count, error_count, failure, ended_at
            """;

    void insert(Tx tx, Import created) {
        tx.update("""
                INSERT INTO records.imports (id, project_id, schema_name, schema_id, created_by, options, source, size)
                VALUES (:id, :project, :schema, :schemaId, :by, CAST(:options AS jsonb), :source, :size)
                """)
                .bind("id", created.id().value())
                .bind("project", created.project().value())
                .bind("schema", created.schema())
                .bind("schemaId", created.schemaId())
                .bind("by", created.by().value())
                .bind("options", Json.text(created.options()))
                .bind("source", created.source())
                .bind("size", created.size())
                .execute();
    }

    Optional<Import> find(Reads reads, ProjectId project, ImportId id) {
        return reads.query("SELECT %s FROM records.imports WHERE project_id = :project AND id = :id".formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> read(row))
                .findOne();
    }

    /** Locks the import until {@code tx} ends. */
    Optional<Import> lock(Tx tx, ProjectId project, ImportId id) {
        return tx.query("SELECT %s FROM records.imports WHERE project_id = :project AND id = :id FOR UPDATE"
                        .formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> read(row))
                .findOne();
    }

    /** The newest first; with {@code source} and {@code by}, unless null. */
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

    /** The user creates no other import in the project until {@code tx} ends. */
    void lockCreation(Tx tx, ProjectId project, UserId by) {
        tx.lock("records.imports", project.hex() + " " + by.hex());
    }

    /** The unfinished imports of {@code by} in {@code project}. */
    List<Import> unfinished(Reads reads, ProjectId project, UserId by) {
        return reads.query("""
                SELECT %s
                FROM records.imports
                WHERE project_id = :project AND created_by = :by AND state IN ('UPLOADING', 'RUNNING')
                ORDER BY id
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("by", by.value())
                .map(row -> read(row))
                .list();
    }

    /** When something was uploaded last. */
    Optional<OffsetDateTime> uploadedAt(Reads reads, ImportId id) {
        return reads.query("SELECT updated_at FROM records.imports WHERE id = :id")
                .bind("id", id.value())
                .map(row -> row.getObject("updated_at", OffsetDateTime.class))
                .findOne();
    }

    /** Ends the import of a file that cannot be read; false if it was started, or something uploaded, since {@code uploaded}. */
    boolean refuse(Tx tx, Import found, OffsetDateTime uploaded, Text failure) {
        return tx.update("""
                UPDATE records.imports
                SET state = 'FAILED', failure = :failure, updated_at = now(), ended_at = now()
                WHERE id = :id AND state = 'UPLOADING' AND received = :received AND updated_at = :uploaded
                """)
                        .bind("id", found.id().value())
                        .bind("received", found.received())
                        .bind("uploaded", uploaded)
                        .bind("failure", StoredText.write(failure))
                        .execute()
                == 1;
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

    void setSchema(Tx tx, ImportId id, Schema schema) {
        tx.update("UPDATE records.imports SET schema_name = :name, schema_id = :schema WHERE id = :id")
                .bind("id", id.value())
                .bind("name", schema.name())
                .bind("schema", schema.id())
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
                .map(row -> new LineError(
                        row.getLong("line"), row.getString("field"), StoredText.read(row.getString("message"))))
                .list();
    }

    /** Cancels imports that were not continued for {@code timeout}, and returns them. */
    List<ImportId> abandon(Tx tx, Duration timeout, int limit) {
        return tx.query("""
                UPDATE records.imports
                SET state = 'CANCELLED', failure = :failure, updated_at = now(), ended_at = now()
                WHERE id IN (
                    SELECT id FROM records.imports
                    WHERE state = 'UPLOADING' AND updated_at < now() - make_interval(secs => :patience)
                    ORDER BY updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
                RETURNING id
                """)
                .bind("failure", StoredText.write(Text.of("records.transfer.abandoned")))
                .bind("patience", timeout.toSeconds())
                .bind("limit", limit)
                .map(row -> new ImportId(row.getLong("id")))
                .list();
    }

    static Import read(ResultSet row) throws SQLException {
        long size = row.getLong("size");
        var known = row.wasNull() ? null : (Long) size;
        short schema = row.getShort("schema_id");
        var schemaId = row.wasNull() ? null : (Short) schema;
        var failure = row.getString("failure");
        return new Import(
                new ImportId(row.getLong("id")),
                new ProjectId(row.getLong("project_id")),
                row.getString("schema_name"),
                schemaId,
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
                failure == null ? null : StoredText.read(failure),
                Columns.instantOrNull(row, "ended_at"));
    }

    /**
     * An import claimed by this node.
     *
     * @param fence the fencing token: writes under an older one are refused
     * @param attempts the claims since the last commit, including this one
     */
    record Claim(Import work, int fence, int attempts) {}

    /** Claims the oldest unclaimed import for {@code lease}. */
    Optional<Claim> claim(Tx tx, Duration lease) {
        return tx.query("""
                UPDATE records.imports
                SET fence = fence + 1, attempts = attempts + 1, leased_until = now() + make_interval(secs => :lease)
                WHERE id = (
                    SELECT id FROM records.imports
                    WHERE state = 'RUNNING' AND (leased_until IS NULL OR leased_until < now())
                    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING fence, attempts, %s
                """.formatted(COLUMNS))
                .bind("lease", lease.toMillis() / 1000.0)
                .map(row -> new Claim(read(row), row.getInt("fence"), row.getInt("attempts")))
                .findOne();
    }

    /** How long the import that has waited longest has waited for a node. */
    Optional<Duration> overdue(Reads reads) {
        return reads.query("""
                SELECT CAST(extract(epoch FROM now() - coalesce(leased_until, updated_at)) * 1000 AS bigint)
                FROM records.imports
                WHERE state = 'RUNNING' AND (leased_until IS NULL OR leased_until < now())
                ORDER BY coalesce(leased_until, updated_at)
                LIMIT 1
                """).mapTo(Long.class).findOne().map(Duration::ofMillis);
    }

    /** Renews the claim for another {@code lease}; false if it was lost. */
    boolean renew(Tx tx, Claim claim, Duration lease) {
        return tx.update("""
                UPDATE records.imports SET leased_until = now() + make_interval(secs => :lease)
                WHERE id = :id AND fence = :fence AND state = 'RUNNING'
                """)
                        .bind("id", claim.work().id().value())
                        .bind("fence", claim.fence())
                        .bind("lease", lease.toMillis() / 1000.0)
                        .execute()
                == 1;
    }

    void advance(Tx tx, Claim claim, Progress progress) {
        tx.update("""
                UPDATE records.imports
                SET position = :position, line = :line, bytes_read = :bytes, row_count = :rows, error_count = :errors,
                    attempts = 0, updated_at = now()
                WHERE id = :id
                """)
                .bind("id", claim.work().id().value())
                .bind("position", progress.position())
                .bind("line", progress.line())
                .bind("bytes", progress.bytes())
                .bind("rows", progress.rows())
                .bind("errors", progress.errors())
                .execute();
    }

    /** The number of stored errors of the import. */
    int errorCount(Tx tx, ImportId id) {
        return tx.query("SELECT coalesce(max(number), -1) + 1 FROM records.import_errors WHERE import_id = :id")
                .bind("id", id.value())
                .mapTo(Integer.class)
                .one();
    }

    /** Stores {@code errors}, numbered from {@code from} on. */
    void insertErrors(Tx tx, ImportId id, int from, List<LineError> errors) {
        var batch = tx.batch("""
                INSERT INTO records.import_errors (import_id, number, line, field, message)
                VALUES (:id, :number, :line, :field, :message)
                """);
        int number = from;
        for (var error : errors) {
            batch.bind("id", id.value())
                    .bind("number", number++)
                    .bind("line", error.line())
                    .bind("field", error.field())
                    .bind("message", StoredText.write(error.message()))
                    .add();
        }
        if (!errors.isEmpty()) {
            batch.execute();
        }
    }

    /** Releases the claim, so that another node need not wait for its lease. */
    void release(Tx tx, Claim claim) {
        tx.update("""
                UPDATE records.imports SET leased_until = NULL, attempts = greatest(attempts - 1, 0)
                WHERE id = :id AND fence = :fence
                """)
                .bind("id", claim.work().id().value())
                .bind("fence", claim.fence())
                .execute();
    }

    /** Releases the claim until after {@code pause}, without counting a failure. */
    void postpone(Tx tx, Claim claim, Duration pause) {
        tx.update("""
                UPDATE records.imports
                SET leased_until = now() + make_interval(secs => :pause), attempts = greatest(attempts - 1, 0)
                WHERE id = :id AND fence = :fence
                """)
                .bind("id", claim.work().id().value())
                .bind("fence", claim.fence())
                .bind("pause", pause.toMillis() / 1000.0)
                .execute();
    }

    /** Returns false if the claim was lost. */
    boolean end(Tx tx, Claim claim, ImportState state, @Nullable Text failure) {
        return tx.update("""
                UPDATE records.imports
                SET state = :state, failure = :failure, leased_until = NULL, updated_at = now(), ended_at = now()
                WHERE id = :id AND fence = :fence AND state = 'RUNNING'
                """)
                        .bind("id", claim.work().id().value())
                        .bind("fence", claim.fence())
                        .bind("state", state.name())
                        .bind("failure", failure == null ? null : StoredText.write(failure))
                        .execute()
                == 1;
    }
}
