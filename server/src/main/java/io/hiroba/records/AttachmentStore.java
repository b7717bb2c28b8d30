package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes which files there are and which values have them. */
final class AttachmentStore {

    /**
     * A file.
     *
     * @param thumbnail the media type of its thumbnail; null if it has none
     * @param schema that of the record that it belongs to; null for none yet
     */
    record Attachment(
            long id,
            ProjectId project,
            UserId createdBy,
            String name,
            String mediaType,
            long size,
            boolean ready,
            @Nullable String thumbnail,
            @Nullable Short schema,
            @Nullable Short attribute,
            @Nullable UUID row) {

        boolean isIn(short ofSchema, short ofAttribute, UUID ofRow) {
            return schema != null
                    && schema == ofSchema
                    && attribute != null
                    && attribute == ofAttribute
                    && ofRow.equals(row);
        }
    }

    private static final String COLUMNS = """
            a.id, a.project_id, a.created_by, a.name, a.media_type, a.size, a.ready, a.thumbnail, a.schema_id, a.attr_id, a.row_id
            """;

    /** A file that is about to be stored. */
    void register(Tx tx, Attachment file, Instant checkAt) {
        tx.update("""
                INSERT INTO records.attachments (id, project_id, created_by, name, media_type, size, check_at)
                VALUES (:id, :project, :by, :name, :type, :size, :check)
                """)
                .bind("id", file.id())
                .bind("project", file.project().value())
                .bind("by", file.createdBy().value())
                .bind("name", file.name())
                .bind("type", file.mediaType())
                .bind("size", file.size())
                .bind("check", checkAt)
                .execute();
    }

    /** The file is stored; false if it took so long that it was swept. */
    boolean finish(Tx tx, long id, @Nullable String thumbnail, Instant checkAt) {
        return tx.update("""
                UPDATE records.attachments SET ready = true, thumbnail = :thumbnail, check_at = :check WHERE id = :id
                """)
                        .bind("id", id)
                        .bind("thumbnail", thumbnail)
                        .bind("check", checkAt)
                        .execute()
                == 1;
    }

    /** The bytes of all files of a project. */
    long used(Reads reads, ProjectId project) {
        return reads.query("SELECT coalesce(sum(size), 0)::bigint FROM records.attachments WHERE project_id = :project")
                .bind("project", project.value())
                .mapTo(Long.class)
                .one();
    }

    Optional<Attachment> find(Reads reads, ProjectId project, long id) {
        return reads.query("""
                SELECT %s FROM records.attachments AS a WHERE a.id = :id AND a.project_id = :project AND a.ready
                """.formatted(COLUMNS))
                .bind("id", id)
                .bind("project", project.value())
                .map(AttachmentStore::attachment)
                .findOne();
    }

    /** The names of those of {@code ids} that {@code user} uploaded and has not put anywhere. */
    Map<Long, String> unused(Reads reads, ProjectId project, UserId user, Collection<Long> ids) {
        var names = new HashMap<Long, String>();
        reads.query("""
                SELECT id, name FROM records.attachments
                WHERE id = ANY (:ids) AND project_id = :project AND created_by = :user AND ready AND row_id IS NULL
                """)
                .bindArray("ids", Long.class, ids.toArray())
                .bind("project", project.value())
                .bind("user", user.value())
                .map(row -> names.put(row.getLong("id"), row.getString("name")) == null)
                .list();
        return names;
    }

    /** Those of {@code ids} that are there, locked so that the sweep leaves them alone until {@code tx} ends. */
    Map<Long, Attachment> lock(Tx tx, ProjectId project, Collection<Long> ids) {
        var found = new HashMap<Long, Attachment>();
        tx.query("""
                SELECT %s FROM records.attachments AS a
                WHERE a.id = ANY (:ids) AND a.project_id = :project AND a.ready
                ORDER BY a.id
                FOR NO KEY UPDATE
                """.formatted(COLUMNS))
                .bindArray("ids", Long.class, ids.toArray())
                .bind("project", project.value())
                .map(AttachmentStore::attachment)
                .list()
                .forEach(each -> found.put(each.id(), each));
        return found;
    }

    /** Puts files into a value. */
    void attach(Tx tx, short schema, short attribute, UUID row, Collection<Long> ids, Instant checkAt) {
        tx.update("""
                UPDATE records.attachments
                SET schema_id = :schema, attr_id = :attribute, row_id = :row, check_at = :check, released_at = NULL
                WHERE id = ANY (:ids)
                """)
                .bind("schema", schema)
                .bind("attribute", attribute)
                .bind("row", row)
                .bind("check", checkAt)
                .bindArray("ids", Long.class, ids.toArray())
                .execute();
    }

    /** A file that the sweep looks at. */
    record Due(
            Attachment file, ProjectTables tables, @Nullable Instant releasedAt) {}

    List<Due> lockDue(Tx tx, Instant now, int limit) {
        return tx.query("""
                SELECT %s, a.released_at, p.client_id
                FROM records.attachments AS a
                JOIN records.projects AS p ON p.id = a.project_id
                WHERE a.check_at <= :now
                ORDER BY a.check_at
                LIMIT :limit
                FOR UPDATE OF a SKIP LOCKED
                """.formatted(COLUMNS))
                .bind("now", now)
                .bind("limit", limit)
                .map(row -> {
                    return new Due(
                            attachment(row),
                            new ProjectTables(
                                    new UserId(row.getLong("client_id")), new ProjectId(row.getLong("project_id"))),
                            Columns.instantOrNull(row, "released_at"));
                })
                .list();
    }

    /** Whether the value that a file was put into still has it. */
    boolean isUsed(Reads reads, ProjectTables tables, Attachment file, String id) {
        var attribute = file.attribute();
        return attribute != null
                && reads.query("""
                SELECT EXISTS (
                    SELECT FROM %s
                    WHERE schema_id = :schema AND row_id = :row
                      AND jsonb_typeof(doc -> :place) = 'array'
                      AND doc -> :place @> jsonb_build_array(jsonb_build_object('id', CAST(:id AS text))))
                """.formatted(tables.records()))
                        .bind("schema", file.schema())
                        .bind("row", file.row())
                        .bind("place", attribute / ValueType.STORAGE_CLASSES)
                        .bind("id", id)
                        .mapTo(Boolean.class)
                        .one();
    }

    void checkLater(Tx tx, long id, Instant checkAt, @Nullable Instant releasedAt) {
        tx.update("UPDATE records.attachments SET check_at = :check, released_at = :released WHERE id = :id")
                .bind("id", id)
                .bind("check", checkAt)
                .bind("released", releasedAt)
                .execute();
    }

    /** Deletes a file's row, which queues the file. */
    void delete(Tx tx, long id) {
        tx.update("DELETE FROM records.attachments WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    private static Attachment attachment(ResultSet row) throws SQLException {
        short schema = row.getShort("schema_id");
        boolean attached = !row.wasNull();
        return new Attachment(
                row.getLong("id"),
                new ProjectId(row.getLong("project_id")),
                new UserId(row.getLong("created_by")),
                row.getString("name"),
                row.getString("media_type"),
                row.getLong("size"),
                row.getBoolean("ready"),
                row.getString("thumbnail"),
                attached ? (Short) schema : null,
                attached ? (Short) row.getShort("attr_id") : null,
                row.getObject("row_id", UUID.class));
    }
}
