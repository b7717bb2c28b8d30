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

/** Reads and replaces the values of attributes that have options. */
final class OptionStore {

    /** The most values that are told. */
    private static final int MAX_VALUES = 100;

    /** A list with its options replaced, in their order and each once; null if none is left. */
    private static final String REPLACED = """
            (SELECT jsonb_agg(x.value ORDER BY x.at)
             FROM (SELECT coalesce(m.after, v.value) AS value, min(v.at) AS at
                   FROM jsonb_array_elements_text(r.doc -> :place) WITH ORDINALITY AS v (value, at)
                   LEFT JOIN unnest(:before, :after) AS m (before, after) ON m.before = v.value
                   WHERE m.before IS NULL OR m.after IS NOT NULL
                   GROUP BY 1) AS x)""";

    /** The records that have one of the options that are replaced. */
    private static String having(ProjectTables tables, SchemaAttribute attribute) {
        return """
                (SELECT DISTINCT c.row_id FROM %s AS c
                 WHERE c.schema_id = :schema AND c.attr_id = %d AND c.value_text = ANY (:before)) AS found
                WHERE r.schema_id = :schema AND r.row_id = found.row_id""".formatted(tables.choices(), attribute.id());
    }

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
                SELECT v.value, count(*) AS records FROM (%s) AS v (value)
                WHERE v.value <> ALL (:listed) AND v.value <> ALL (:replaced)
                GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit
                """.formatted(values(tables, attribute)))
                .bind("schema", schema)
                .bind("place", key(attribute))
                .bindArray("listed", String.class, listed)
                .bindArray("replaced", String.class, replaced)
                .bind("limit", MAX_VALUES)
                .map(row -> unlisted.put(row.getString("value"), row.getLong("records")) == null)
                .list();
        return unlisted;
    }

    /** How many records have one of {@code values}. */
    long count(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute, Collection<String> values) {
        return reads.query(
                        "SELECT count(DISTINCT v.row_id) FROM (%s) AS v (value, row_id) WHERE v.value = ANY (:values)"
                                .formatted(values(tables, attribute)))
                .bind("schema", schema)
                .bind("place", key(attribute))
                .bindArray("values", String.class, values)
                .mapTo(Long.class)
                .one();
    }

    /** The values of records and their ids; of lists, those that are chosen. */
    private static String values(ProjectTables tables, SchemaAttribute attribute) {
        return attribute.isMultiSelect()
                ? "SELECT value_text, row_id FROM %s WHERE schema_id = :schema AND attr_id = :place"
                        .formatted(tables.choices())
                : "SELECT doc ->> :place, row_id FROM %s WHERE schema_id = :schema AND doc ->> :place IS NOT NULL"
                        .formatted(tables.records());
    }

    private static int key(SchemaAttribute attribute) {
        return attribute.isMultiSelect() ? attribute.id() : attribute.place();
    }

    /** How many records have each value of the attribute. */
    Map<String, Long> counts(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        return unlisted(reads, tables, schema, attribute, List.of(), List.of());
    }

    /** The document with the value replaced, and with who changed it when if it tells that. */
    private static String document(Schema schema, SchemaAttribute attribute, String user, Instant at) {
        var document = "jsonb_set(r.doc, CAST(:path AS text[]), coalesce(%s, 'null'))"
                .formatted(attribute.isMultiSelect() ? REPLACED : "to_jsonb(m.after)");
        for (var each : GeneratedValues.ofChanges(schema)) {
            document = "records.with_value(%s, %d, %s)"
                    .formatted(
                            document,
                            each.place(),
                            each.isFormatted(ValueFormat.Kind.UPDATED_BY)
                                    ? "to_jsonb(CAST('%s' AS text))".formatted(user)
                                    : "to_jsonb(CAST(%d AS bigint))".formatted(GeneratedValues.micros(at)));
        }
        return document;
    }

    /** Replaces values, and returns the records that have another one; history tells the one before. */
    List<RecordRow> replace(
            Tx tx,
            ProjectAccess access,
            Schema schema,
            SchemaAttribute attribute,
            Map<String, @Nullable String> replacements,
            Instant at) {
        return tx.query(
                        """
                UPDATE %s AS r
                SET doc = %s,
                    version = r.version + 1, updated_by = :by, updated_at = :at
                FROM %s
                RETURNING r.row_id, r.version
                """.formatted(
                                access.tables().records(),
                                document(schema, attribute, access.user().hex(), at),
                                attribute.isMultiSelect()
                                        ? having(access.tables(), attribute)
                                        : "unnest(:before, :after) AS m (before, after) WHERE r.schema_id = :schema AND r.doc ->> :place = m.before"))
                .bind("path", "{%d}".formatted(attribute.place()))
                .bind("by", access.user().value())
                .bind("at", RecordStore.time(at))
                .bindArray("before", String.class, replacements.keySet().toArray())
                .bindArray("after", String.class, replacements.values().toArray())
                .bind("schema", schema.id())
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
