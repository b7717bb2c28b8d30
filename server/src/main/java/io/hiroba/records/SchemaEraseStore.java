package io.hiroba.records;

import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;

/** Deletes for good what a deleted schema has left, in batches. */
final class SchemaEraseStore {

    /** What goes by the id of the schema and is little. Choices and links of views follow by their own rules. */
    private static final List<String> DESCRIPTIONS = List.of(
            "knowledge_texts",
            "views",
            "saved_queries",
            "former_names",
            "removed_attributes",
            "computed_attributes",
            "computations",
            "retypes",
            "autonumbers",
            "statistics",
            "samples",
            "attribute_use",
            "bulk_edits",
            "removed_schemas");

    /** Deletes up to {@code limit} rows of what there is much of, and returns how many; references first, which hold records. */
    int deleteSome(Tx tx, ProjectTables tables, short schema, int limit) {
        int deleted = delete(tx, tables.links(), "schema_id = :schema", schema, limit);
        if (deleted == 0) {
            deleted = delete(tx, tables.links(), "target_schema = :schema", schema, limit);
        }
        if (deleted == 0) {
            deleted = delete(tx, tables.records(), "schema_id = :schema", schema, limit);
        }
        if (deleted == 0) {
            deleted = delete(tx, tables.history(), "schema_id = :schema", schema, limit);
        }
        // Changes of types that were given up leave values that no record has.
        for (var type : ValueType.values()) {
            if (deleted == 0) {
                deleted = delete(
                        tx,
                        tables.eav(),
                        "schema_id = :schema AND %s IS NOT NULL".formatted(type.column()),
                        schema,
                        limit);
            }
        }
        for (var table : List.of(tables.uniqueValues(), tables.choices())) {
            if (deleted == 0) {
                deleted = delete(tx, table, "schema_id = :schema", schema, limit);
            }
        }
        return deleted == 0 ? deleteFiles(tx, tables, schema, limit) : deleted;
    }

    private static int delete(Tx tx, String table, String which, short schema, int limit) {
        return tx.update("""
                DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE %2$s LIMIT :limit))
                """.formatted(table, which))
                .bind("schema", schema)
                .bind("limit", limit)
                .execute();
    }

    /** What is stored follows, as with every row of a file. */
    private static int deleteFiles(Tx tx, ProjectTables tables, short schema, int limit) {
        return tx.update("""
                DELETE FROM records.attachments
                WHERE id = ANY (ARRAY(
                    SELECT id FROM records.attachments WHERE project_id = :project AND schema_id = :schema LIMIT :limit))
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("limit", limit)
                .execute();
    }

    /** Deletes what describes the schema, and has its indexes dropped. */
    void deleteDescriptions(Tx tx, ProjectTables tables, short schema, Instant now) {
        tx.update("""
                UPDATE records.hot_indexes SET state = 'DROPPING', dropping_at = coalesce(dropping_at, :now)
                WHERE project_id = :project AND schema_id = :schema
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("now", RecordStore.time(now))
                .execute();
        for (var table : DESCRIPTIONS) {
            tx.update("DELETE FROM records.%s WHERE project_id = :project AND schema_id = :schema".formatted(table))
                    .bind("project", tables.project().value())
                    .bind("schema", schema)
                    .execute();
        }
        tx.update("UPDATE %s SET is_unique = false, target_schema = NULL WHERE schema_id = :schema"
                        .formatted(tables.attributes()))
                .bind("schema", schema)
                .execute();
    }
}
