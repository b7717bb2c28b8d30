package io.hiroba.records;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.search.SearchWords;
import java.util.List;

/**
 * Finds records of a schema by their texts: those with a text that begins with what was typed along the index of texts, and
 * among the newest those with all words anywhere. What the caller may read of them is decided afterwards.
 */
final class RecordSearchStore {

    /** The newest records of a schema that are looked at. */
    static final int MAX_READ = 2_000;

    /** Sorts after every text that begins with what comes before it. */
    private static final String LAST = "\uDBFF\uDFFF";

    /** Nothing if the schema is not the one in {@code schema} any more: its rules may be others. */
    List<RecordRow> search(
            Reads reads, ProjectTables tables, Schema schema, List<SchemaAttribute> texts, String typed, int limit) {
        return query(reads, "", tables, schema, texts, typed, limit)
                .map(row -> RecordStore.row(row))
                .list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(
            Reads reads,
            String lead,
            ProjectTables tables,
            Schema schema,
            List<SchemaAttribute> texts,
            String typed,
            int limit) {
        return reads.query(lead + """
                SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc
                FROM (SELECT newest.row_id
                      FROM (SELECT row_id, doc FROM %1$s WHERE schema_id = :schema ORDER BY row_id DESC LIMIT :read) AS newest
                      WHERE newest.doc::text ILIKE ALL (:patterns)
                      UNION
                      (SELECT row_id FROM %2$s
                       WHERE schema_id = :schema AND attr_id = ANY (:texts)
                         AND value_text >= :typed AND value_text < :last AND value_text IS NOT NULL
                       LIMIT :limit)) AS found
                JOIN %1$s AS r ON r.schema_id = :schema AND r.row_id = found.row_id
                WHERE EXISTS (SELECT FROM %3$s AS s WHERE s.schema_id = :schema AND s.version = :version)
                ORDER BY r.row_id DESC
                LIMIT :limit
                """.formatted(tables.records(), tables.eav(), tables.schemas()))
                .bind("schema", schema.id())
                .bind("version", schema.version())
                .bindArray("texts", Short.class, texts, SchemaAttribute::id)
                // As they stand in JSON.
                .bindArray(
                        "patterns",
                        String.class,
                        SearchWords.of(typed).words().stream()
                                .map(word -> SearchWords.pattern(word.replace("\\", "\\\\")))
                                .toList())
                .bind("typed", typed)
                .bind("last", typed + LAST)
                .bind("read", MAX_READ)
                .bind("limit", limit);
    }
}
