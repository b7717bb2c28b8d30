package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads and replaces the values of text attributes that have options. */
final class OptionStore {

    /** The most values that are told. */
    private static final int MAX_VALUES = 100;

    /** The values that are neither listed nor replaced, the commonest first, with the number of their records. */
    Map<String, Long> unlisted(
            Reads reads,
            ProjectTables tables,
            short schema,
            SchemaAttribute attribute,
            Collection<String> listed,
            Collection<String> replaced) {
        var unlisted = new LinkedHashMap<String, Long>();
        reads.query("""
                SELECT doc ->> :place AS value, count(*) AS records FROM %s
                WHERE schema_id = :schema AND doc ->> :place IS NOT NULL
                  AND doc ->> :place <> ALL (:listed) AND doc ->> :place <> ALL (:replaced)
                GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", attribute.place())
                .bindArray("listed", String.class, listed)
                .bindArray("replaced", String.class, replaced)
                .bind("limit", MAX_VALUES)
                .map(row -> unlisted.put(row.getString("value"), row.getLong("records")) == null)
                .list();
        return unlisted;
    }

    /** How many records have one of {@code values}. */
    long count(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute, Collection<String> values) {
        return reads.query("SELECT count(*) FROM %s WHERE schema_id = :schema AND doc ->> :place = ANY (:values)"
                        .formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", attribute.place())
                .bindArray("values", String.class, values)
                .mapTo(Long.class)
                .one();
    }

    /** How many records have each value of the attribute. */
    Map<String, Long> counts(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        return unlisted(reads, tables, schema, attribute, List.of(), List.of());
    }

    /** Replaces values, and returns the records that have another one; history tells the one before. */
    List<RecordRow> replace(
            Tx tx,
            ProjectAccess access,
            short schema,
            SchemaAttribute attribute,
            Map<String, @Nullable String> replacements,
            Instant at) {
        return tx.query("""
                UPDATE %s AS r
                SET doc = jsonb_set(r.doc, CAST(:path AS text[]), coalesce(to_jsonb(m.after), 'null')),
                    version = r.version + 1, updated_by = :by, updated_at = :at
                FROM unnest(:before, :after) AS m (before, after)
                WHERE r.schema_id = :schema AND r.doc ->> :place = m.before
                RETURNING r.row_id, r.version
                """.formatted(access.tables().records()))
                .bind("path", "{%d}".formatted(attribute.place()))
                .bind("by", access.user().value())
                .bind("at", RecordStore.time(at))
                .bindArray("before", String.class, replacements.keySet().toArray())
                .bindArray("after", String.class, replacements.values().toArray())
                .bind("schema", schema)
                .bind("place", attribute.place())
                .map(row -> new RecordRow(
                        new RowId(row.getObject("row_id", UUID.class)),
                        row.getInt("version"),
                        access.user(),
                        access.user(),
                        at,
                        JsonNodeFactory.instance.arrayNode()))
                .list();
    }
}
