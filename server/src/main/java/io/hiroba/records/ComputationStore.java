package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads and writes computed attributes, and reads what their values come from. */
final class ComputationStore {

    /** The computed attributes of the schema {@code s}, and those whose values come from its records, as one value. */
    static final String OF_SCHEMA = """
            SELECT jsonb_agg(jsonb_build_object(
                'schema', c.schema_id, 'attribute', c.attr_id, 'concealed', c.concealed, 'computed', c.definition,
                'computing', EXISTS (
                    SELECT FROM records.computations AS q
                    WHERE q.project_id = c.project_id AND q.schema_id = c.schema_id AND q.row_id IS NULL
                      AND q.target_row IS NULL AND coalesce(q.attr_id, c.attr_id) = c.attr_id),
                'removed', EXISTS (
                    SELECT FROM records.removed_attributes AS d
                    WHERE d.project_id = c.project_id AND d.schema_id = c.schema_id AND d.attr_id = c.attr_id)
                    OR EXISTS (
                    SELECT FROM records.removed_schemas AS d
                    WHERE d.project_id = c.project_id AND d.schema_id = c.schema_id)))
            FROM records.computed_attributes AS c
            WHERE c.project_id = :project AND (c.schema_id = s.schema_id OR c.about = s.schema_id)
            """;

    /** Digits after the point of an average. */
    private static final int AVERAGE_SCALE = 15;

    private record Row(
            short schema, short attribute, boolean concealed, Computed computed, boolean computing, boolean removed) {}

    static Computed definition(String json) {
        return Json.mapper().readValue(json, Computed.class);
    }

    static Schema.Calculations read(short schema, @Nullable String json) {
        if (json == null) {
            return Schema.Calculations.NONE;
        }
        var computed = new HashMap<Short, Computed>();
        var concealed = new HashSet<Short>();
        var computing = new HashSet<Short>();
        var dependents = new ArrayList<Computed.Dependent>();
        for (var row : Json.mapper().readValue(json, Row[].class)) {
            if (row.schema() == schema) {
                computed.put(row.attribute(), row.computed());
                if (row.concealed()) {
                    concealed.add(row.attribute());
                }
                if (row.computing()) {
                    computing.add(row.attribute());
                }
            }
            var about = row.computed().about();
            if (about != null && about == schema && !row.removed()) {
                dependents.add(new Computed.Dependent(row.schema(), row.attribute(), row.computed()));
            }
        }
        return new Schema.Calculations(computed, concealed, computing, dependents);
    }

    void put(Tx tx, ProjectTables tables, short schema, short attribute, Computed computed) {
        tx.update("""
                INSERT INTO records.computed_attributes (project_id, schema_id, attr_id, about, definition)
                VALUES (:project, :schema, :attribute, :about, CAST(:definition AS jsonb))
                ON CONFLICT (project_id, schema_id, attr_id) DO UPDATE
                SET about = excluded.about, definition = excluded.definition
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute)
                .bind("about", computed.about())
                .bind("definition", Json.text(computed))
                .execute();
    }

    void setConcealed(Tx tx, ProjectTables tables, short schema, short attribute, boolean concealed) {
        tx.update("""
                UPDATE records.computed_attributes SET concealed = :concealed
                WHERE project_id = :project AND schema_id = :schema AND attr_id = :attribute
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute)
                .bind("concealed", concealed)
                .execute();
    }

    void delete(Tx tx, ProjectTables tables, short schema, short attribute) {
        tx.update("""
                DELETE FROM records.computed_attributes
                WHERE project_id = :project AND schema_id = :schema AND attr_id = :attribute
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute)
                .execute();
    }

    /** The records of {@code schema} that refer to {@code targets} by {@code relation}, up to {@code limit}. */
    List<RowId> referring(
            Reads reads,
            ProjectTables tables,
            Computed.Dependent of,
            short target,
            Collection<RowId> targets,
            int limit) {
        return reads.query("""
                SELECT row_id FROM %s
                WHERE target_schema = :target AND target_row = ANY (:ids) AND schema_id = :schema AND attr_id = :relation
                LIMIT :limit
                """.formatted(tables.links()))
                .bind("target", target)
                .bindArray("ids", UUID.class, RecordStore.uuids(targets))
                .bind("schema", of.schema())
                .bind("relation", of.computed().by())
                .bind("limit", limit)
                .map(row -> new RowId(row.getObject("row_id", UUID.class)))
                .list();
    }

    /** Whether more than {@code most} records refer to {@code rows}, in the way of a rollup. */
    boolean hasMore(
            Reads reads, ProjectTables tables, short schema, Computed rollup, Collection<RowId> rows, int most) {
        return reads.query("""
                SELECT count(*) > :most FROM (
                    SELECT FROM %s
                    WHERE target_schema = :schema AND target_row = ANY (:ids) AND schema_id = :other AND attr_id = :relation
                    LIMIT :most + 1) AS referring
                """.formatted(tables.links()))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, RecordStore.uuids(rows))
                .bind("other", rollup.other())
                .bind("relation", rollup.by())
                .bind("most", most)
                .mapTo(Boolean.class)
                .one();
    }

    /** The first records of a schema. */
    List<RecordRow> first(Reads reads, ProjectTables tables, short schema, int limit) {
        return reads.query("""
                SELECT row_id, version, created_by, updated_by, updated_at, doc FROM %s
                WHERE schema_id = :schema ORDER BY row_id LIMIT :limit
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("limit", limit)
                .map(RecordStore::row)
                .list();
    }

    /** Locks records against changes until {@code tx} ends: all of them, or those that nobody else has locked. */
    List<RecordRow> lock(Tx tx, ProjectTables tables, short schema, Collection<RowId> rows, boolean waits) {
        return tx.query("""
                SELECT row_id, version, created_by, updated_by, updated_at, doc FROM %s
                WHERE schema_id = :schema AND row_id = ANY (:ids)
                ORDER BY row_id
                FOR NO KEY UPDATE %s
                """.formatted(tables.records(), waits ? "" : "SKIP LOCKED"))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, RecordStore.uuids(rows))
                .map(RecordStore::row)
                .list();
    }

    /** The values of an attribute, whose records are locked against changes until {@code tx} ends, as {@link #lock} does. */
    Map<UUID, JsonNode> lockValues(Tx tx, ProjectTables tables, Computed lookup, Collection<UUID> rows, boolean waits) {
        return values(tx, tables, lookup, rows, waits ? "FOR SHARE" : "FOR SHARE SKIP LOCKED");
    }

    /** The same without locks. */
    Map<UUID, JsonNode> values(Tx tx, ProjectTables tables, Computed lookup, Collection<UUID> rows) {
        return values(tx, tables, lookup, rows, "");
    }

    private static Map<UUID, JsonNode> values(
            Tx tx, ProjectTables tables, Computed lookup, Collection<UUID> rows, String lock) {
        var values = new HashMap<UUID, JsonNode>();
        var attribute = lookup.attribute();
        tx.query("""
                SELECT row_id, doc -> :place AS value FROM %s
                WHERE schema_id = :schema AND row_id = ANY (:ids)
                ORDER BY row_id %s
                """.formatted(tables.records(), lock))
                .bind("schema", lookup.other())
                .bind("place", attribute == null ? 0 : attribute / ValueType.STORAGE_CLASSES)
                .bindArray("ids", UUID.class, rows.toArray())
                .map(row -> values.put(row.getObject("row_id", UUID.class), json(row.getString("value"))) == null)
                .list();
        return values;
    }

    /** The value of a rollup for each of {@code rows} that has one. */
    Map<UUID, JsonNode> rollup(
            Reads reads, ProjectTables tables, short schema, Computed rollup, Collection<RowId> rows) {
        var values = new HashMap<UUID, JsonNode>();
        var attribute = rollup.attribute();
        reads.query("""
                SELECT l.target_row, to_jsonb(%1$s) AS value
                FROM %2$s AS l
                JOIN %3$s AS r ON r.schema_id = l.schema_id AND r.row_id = l.row_id
                CROSS JOIN LATERAL (SELECT %4$s AS value) AS v
                WHERE l.target_schema = :schema AND l.target_row = ANY (:ids) AND l.schema_id = :other AND l.attr_id = :relation
                GROUP BY l.target_row
                """.formatted(aggregate(rollup), tables.links(), tables.records(), value(rollup)))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, RecordStore.uuids(rows))
                .bind("other", rollup.other())
                .bind("relation", rollup.by())
                .bind("place", attribute == null ? 0 : attribute / ValueType.STORAGE_CLASSES)
                .map(row -> values.put(
                                row.getObject("target_row", UUID.class), rounded(rollup, json(row.getString("value"))))
                        == null)
                .list();
        return values;
    }

    private static String aggregate(Computed rollup) {
        return switch (Optional.ofNullable(rollup.function()).orElse(Computed.Function.COUNT)) {
            case COUNT -> "count(v.value)";
            case SUM -> "sum(v.value)";
            case MIN -> "min(v.value)";
            case MAX -> "max(v.value)";
            case AVERAGE -> "avg(v.value)";
        };
    }

    /** Without an attribute, each record counts. */
    private static String value(Computed rollup) {
        var attribute = rollup.attribute();
        if (attribute == null) {
            return "CAST(:place AS int)";
        }
        var type = ValueType.storedBy(attribute);
        return rollup.function() == Computed.Function.COUNT || type == ValueType.TEXT
                ? "(r.doc ->> :place) COLLATE \"C\""
                : "CAST(r.doc ->> :place AS %s)".formatted(type.sqlType());
    }

    private static JsonNode rounded(Computed rollup, JsonNode value) {
        if (rollup.function() != Computed.Function.AVERAGE || !value.isNumber()) {
            return value;
        }
        var rounded = value.decimalValue()
                .setScale(AVERAGE_SCALE, RoundingMode.HALF_EVEN)
                .stripTrailingZeros();
        return JsonNodeFactory.instance.numberNode(rounded.scale() < 0 ? rounded.setScale(0) : rounded);
    }

    /** Writes documents. Records keep their versions: the history tells of no change. */
    void write(Tx tx, ProjectTables tables, short schema, List<RecordRow> rows) {
        tx.update("""
                UPDATE %s AS r SET doc = CAST(n.doc AS jsonb)
                FROM unnest(:ids, :docs) AS n (row_id, doc)
                WHERE r.schema_id = :schema AND r.row_id = n.row_id
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bindArray(
                        "ids",
                        UUID.class,
                        rows.stream().map(row -> row.id().value()).toArray())
                .bindArray(
                        "docs",
                        String.class,
                        rows.stream()
                                .map(row -> Documents.exact().writeValueAsString(row.document()))
                                .toArray())
                .execute();
    }

    private static JsonNode json(@Nullable String text) {
        return text == null
                ? JsonNodeFactory.instance.nullNode()
                : Documents.exact().readTree(text);
    }
}
