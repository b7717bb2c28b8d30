package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes the documents of a project. Triggers copy their values to the indexed tables. */
final class RecordStore {

    private static final String COLUMNS = "row_id, version, created_by, updated_by, updated_at, doc";

    Optional<RecordRow> find(Reads reads, ProjectTables tables, short schema, RowId id) {
        return reads.query("SELECT %s FROM %s WHERE schema_id = :schema AND row_id = :id"
                        .formatted(COLUMNS, tables.records()))
                .bind("schema", schema)
                .bind("id", id.value())
                .map(row -> row(row))
                .findOne();
    }

    /** A record, and whether the version of the schema is the expected one. */
    record Found(boolean isCurrent, @Nullable RecordRow row) {}

    /** Reads record and version in one statement, so that an outdated schema cannot disclose hidden values. */
    Found find(Reads reads, ProjectTables tables, Schema schema, RowId id) {
        return reads.query("""
                SELECT s.version = :known AS current,
                       r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc
                FROM
                """ + tables.schemas() + " AS s LEFT JOIN " + tables.records() + """
                 AS r ON r.schema_id = s.schema_id AND r.row_id = :id
                WHERE s.schema_id = :schema
                """)
                .bind("schema", schema.id())
                .bind("known", schema.version())
                .bind("id", id.value())
                .map(row -> new Found(row.getBoolean("current"), row.getInt("version") == 0 ? null : row(row)))
                .findOne()
                .orElse(new Found(false, null));
    }

    /** The records among {@code ids}, read with the version of the schema; empty if it is not the expected one. */
    Optional<List<RecordRow>> find(Reads reads, ProjectTables tables, Schema schema, Collection<RowId> ids) {
        var found = reads.query("""
                SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc
                FROM
                """ + tables.schemas() + " AS s LEFT JOIN " + tables.records() + """
                 AS r ON r.schema_id = s.schema_id AND r.row_id = ANY (:ids)
                WHERE s.schema_id = :schema AND s.version = :known
                """)
                .bind("schema", schema.id())
                .bind("known", schema.version())
                .bindArray("ids", UUID.class, uuids(ids))
                .map(row -> row.getInt("version") == 0 ? Optional.<RecordRow>empty() : Optional.of(row(row)))
                .list();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.stream().flatMap(Optional::stream).toList());
    }

    /** Locks the records until {@code tx} ends, against changes and, for a deletion, against new references. */
    List<RecordRow> lock(Tx tx, ProjectTables tables, short schema, Collection<RowId> ids, boolean deletions) {
        return tx.query("""
                SELECT %s FROM %s
                WHERE schema_id = :schema AND row_id = ANY (:ids)
                ORDER BY row_id
                FOR %s
                """.formatted(COLUMNS, tables.records(), deletions ? "UPDATE" : "NO KEY UPDATE"))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, uuids(ids))
                .map(row -> row(row))
                .list();
    }

    /** Inserts records of one creator. */
    void insert(Tx tx, ProjectTables tables, short schema, List<RecordRow> rows) {
        var first = rows.getFirst();
        bound(tx.update("""
                INSERT INTO %s (row_id, created_by, updated_by, updated_at, version, schema_id, doc)
                SELECT n.row_id, :creator, :updater, TIMESTAMPTZ 'epoch' + n.at * INTERVAL '1 microsecond', n.version, :schema,
                       CAST(n.doc AS jsonb)
                FROM unnest(:ids, :versions, :docs, :ats) AS n (row_id, version, doc, at)
                """.formatted(tables.records())), rows)
                .bind("schema", schema)
                .bind("creator", first.createdBy().value())
                .bind("updater", first.updatedBy().value())
                .bindArray(
                        "ats",
                        Long.class,
                        rows.stream()
                                .map(row -> GeneratedValues.micros(row.updatedAt()))
                                .toArray())
                .execute();
    }

    void update(Tx tx, ProjectTables tables, short schema, List<RecordRow> rows, UserId by, Instant at) {
        bound(tx.update("""
                UPDATE %s AS r
                SET doc = CAST(n.doc AS jsonb), version = n.version, updated_by = :by, updated_at = :at
                FROM unnest(:ids, :versions, :docs) AS n (row_id, version, doc)
                WHERE r.schema_id = :schema AND r.row_id = n.row_id
                """.formatted(tables.records())), rows)
                .bind("schema", schema)
                .bind("by", by.value())
                .bind("at", time(at))
                .execute();
    }

    /** Deletes records; history keeps their values and creators. */
    void delete(Tx tx, ProjectTables tables, short schema, Collection<RowId> ids, UserId by, Instant at) {
        tx.update("""
                INSERT INTO %s (schema_id, row_id, version, at, changed_by, deleted, created_by, changes)
                SELECT r.schema_id, r.row_id, r.version + 1, :at, :by, true, r.created_by,
                       (SELECT coalesce(
                                   jsonb_object_agg(a.attr_id, jsonb_build_array(r.doc -> (a.attr_id / 5), NULL)), '{}')
                        FROM %s AS a
                        WHERE a.schema_id = r.schema_id AND r.doc ->> (a.attr_id / 5) IS NOT NULL)
                FROM %s AS r
                WHERE r.schema_id = :schema AND r.row_id = ANY (:ids)
                """.formatted(tables.history(), tables.attributes(), tables.records()))
                .bind("schema", schema)
                .bind("by", by.value())
                .bind("at", time(at))
                .bindArray("ids", UUID.class, uuids(ids))
                .execute();
        // First, since foreign keys are checked before the trigger could do so, and the records may refer to each
        // other.
        tx.update("DELETE FROM %s WHERE schema_id = :schema AND row_id = ANY (:ids)".formatted(tables.links()))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, uuids(ids))
                .execute();
        tx.update("DELETE FROM %s WHERE schema_id = :schema AND row_id = ANY (:ids)".formatted(tables.records()))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, uuids(ids))
                .execute();
    }

    /** Binds {@code rows} for {@code unnest}. */
    private static Update bound(Update update, List<RecordRow> rows) {
        return update.bindArray(
                        "ids",
                        UUID.class,
                        rows.stream().map(row -> row.id().value()).toArray())
                .bindArray(
                        "versions",
                        Integer.class,
                        rows.stream().map(RecordRow::version).toArray())
                .bindArray(
                        "docs",
                        String.class,
                        rows.stream().map(RecordStore::text).toArray());
    }

    private static String text(RecordRow row) {
        return Documents.exact().writeValueAsString(row.document());
    }

    static OffsetDateTime time(Instant at) {
        return at.atOffset(ZoneOffset.UTC);
    }

    static Object[] uuids(Collection<RowId> ids) {
        return ids.stream().map(RowId::value).toArray();
    }

    static RecordRow row(ResultSet row) throws SQLException {
        return new RecordRow(
                new RowId(row.getObject("row_id", UUID.class)),
                row.getInt("version"),
                new UserId(row.getLong("created_by")),
                new UserId(row.getLong("updated_by")),
                Columns.instant(row, "updated_at"),
                Documents.read(row.getString("doc")));
    }
}
