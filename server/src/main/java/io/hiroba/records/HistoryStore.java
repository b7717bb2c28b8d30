package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads and writes the history of records. */
final class HistoryStore {

    /**
     * A change as it is stored.
     *
     * @param restored whether the record was deleted before
     * @param creator the creator of a deleted record
     * @param changes by attribute id, each a pair of the old and the new value
     */
    record Change(
            int version,
            Instant at,
            UserId by,
            boolean deleted,
            boolean restored,
            @Nullable UserId creator,
            Map<Short, JsonNode> changes) {}

    /** The changes with versions below {@code before}, the newest first. */
    List<Change> page(Reads reads, ProjectTables tables, short schema, RowId id, int before, int limit) {
        return reads.query("""
                SELECT h.version, h.at, h.changed_by, h.deleted, h.created_by, h.changes,
                       EXISTS (
                           SELECT FROM %1$s AS o
                           WHERE o.schema_id = h.schema_id AND o.row_id = h.row_id AND o.version = h.version - 1
                             AND o.deleted) AS restored
                FROM %1$s AS h
                WHERE h.schema_id = :schema AND h.row_id = :id AND h.version < :before
                ORDER BY h.version DESC
                LIMIT :limit
                """.formatted(tables.history()))
                .bind("schema", schema)
                .bind("id", id.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> change(row))
                .list();
    }

    /** The newest change. */
    Optional<Change> last(Reads reads, ProjectTables tables, short schema, RowId id) {
        return page(reads, tables, schema, id, Integer.MAX_VALUE, 1).stream().findFirst();
    }

    boolean wasDeleted(Reads reads, ProjectTables tables, short schema, RowId id, int version) {
        return reads.query("""
                SELECT EXISTS (
                    SELECT FROM %s WHERE schema_id = :schema AND row_id = :id AND version = :version AND deleted)
                """.formatted(tables.history()))
                .bind("schema", schema)
                .bind("id", id.value())
                .bind("version", version)
                .mapTo(Boolean.class)
                .one();
    }

    /** A value that a record had until then. */
    record Past(JsonNode value, Instant until) {}

    /** The values at {@code version} of attributes that changed later, by attribute id. */
    Map<Short, Past> valuesAt(Reads reads, ProjectTables tables, short schema, RowId id, int version) {
        var values = new HashMap<Short, Past>();
        reads.query("""
                SELECT DISTINCT ON (c.key) CAST(c.key AS smallint) AS attr_id, c.value -> 0 AS value, h.at
                FROM %s AS h
                CROSS JOIN LATERAL jsonb_each(h.changes) AS c
                WHERE h.schema_id = :schema AND h.row_id = :id AND h.version > :version
                ORDER BY c.key, h.version
                """.formatted(tables.history()))
                .bind("schema", schema)
                .bind("id", id.value())
                .bind("version", version)
                .map(row -> values.put(
                        row.getShort("attr_id"), new Past(json(row.getString("value")), Columns.instant(row, "at"))))
                .list();
        return values;
    }

    /** Writes the entry of a restored record. */
    void insertRestored(Tx tx, ProjectTables tables, short schema, RecordRow row) {
        tx.update("""
                INSERT INTO %s (schema_id, row_id, version, at, changed_by, changes)
                SELECT r.schema_id, r.row_id, r.version, r.updated_at, r.updated_by,
                       (SELECT coalesce(
                                   jsonb_object_agg(a.attr_id, jsonb_build_array(NULL, r.doc -> (a.attr_id / 5))), '{}')
                        FROM %s AS a
                        WHERE a.schema_id = r.schema_id AND r.doc ->> (a.attr_id / 5) IS NOT NULL)
                FROM %s AS r
                WHERE r.schema_id = :schema AND r.row_id = :id
                """.formatted(tables.history(), tables.attributes(), tables.records()))
                .bind("schema", schema)
                .bind("id", row.id().value())
                .execute();
    }

    private static Change change(ResultSet row) throws SQLException {
        long creator = row.getLong("created_by");
        boolean known = !row.wasNull();
        var changes = new HashMap<Short, JsonNode>();
        for (var change : json(row.getString("changes")).properties()) {
            changes.put(Short.valueOf(change.getKey()), change.getValue());
        }
        return new Change(
                row.getInt("version"),
                Columns.instant(row, "at"),
                new UserId(row.getLong("changed_by")),
                row.getBoolean("deleted"),
                row.getBoolean("restored"),
                known ? new UserId(creator) : null,
                changes);
    }

    private static JsonNode json(@Nullable String text) {
        return text == null ? Documents.exact().nullNode() : Documents.exact().readTree(text);
    }
}
