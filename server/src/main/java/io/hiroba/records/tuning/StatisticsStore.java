package io.hiroba.records.tuning;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads samples of records, and reads and writes statistics. */
final class StatisticsStore {

    private static final int BATCH = 500;

    /** @param changes the change counter of pg_stat at that time */
    record Taken(double rows, long changes) {}

    Optional<Taken> taken(Reads reads, ProjectTables tables, Schema schema) {
        return reads.query("""
                SELECT row_count, changes FROM records.samples WHERE project_id = :project AND schema_id = :schema
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema.id())
                .map(row -> new Taken(row.getDouble("row_count"), row.getLong("changes")))
                .findOne();
    }

    SchemaStatistics find(Reads reads, ProjectTables tables, Schema schema) {
        record Known(double rows, short id, AttributeStatistics statistics) {}
        var known = reads.query("""
                SELECT s.row_count, a.attr_id, a.present, a.common, a.others, a.bounds
                FROM records.samples AS s
                JOIN records.statistics AS a ON a.project_id = s.project_id AND a.schema_id = s.schema_id
                WHERE s.project_id = :project AND s.schema_id = :schema
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema.id())
                .map(row -> new Known(row.getDouble("row_count"), row.getShort("attr_id"), statistics(row)))
                .list();
        if (known.isEmpty()) {
            return SchemaStatistics.unknown();
        }
        var attributes = new HashMap<Short, AttributeStatistics>();
        known.forEach(each -> attributes.put(each.id(), each.statistics()));
        return new SchemaStatistics(known.getFirst().rows(), attributes);
    }

    private static AttributeStatistics statistics(ResultSet row) throws SQLException {
        var type = ValueType.storedBy(row.getShort("attr_id"));
        var common = new HashMap<HistogramKey, Double>();
        for (var pair : Documents.read(row.getString("common"))) {
            var key = HistogramKey.of(type, pair.path(0));
            if (key != null) {
                common.put(key, pair.path(1).doubleValue());
            }
        }
        var bounds = new ArrayList<HistogramKey>();
        for (var value : Documents.read(row.getString("bounds"))) {
            var key = HistogramKey.of(type, value);
            if (key != null) {
                bounds.add(key);
            }
        }
        return new AttributeStatistics(type, row.getDouble("present"), common, row.getDouble("others"), bounds);
    }

    /** Returns false if the project was deleted. */
    boolean save(Tx tx, ProjectTables tables, Schema schema, SchemaStatistics statistics, int sampled, long changes) {
        boolean existing = tx.update("""
                INSERT INTO records.samples (project_id, schema_id, row_count, sampled, changes)
                SELECT p.id, :schema, :rows, :sampled, :changes FROM records.projects AS p WHERE p.id = :project
                ON CONFLICT (project_id, schema_id) DO UPDATE
                SET row_count = excluded.row_count, sampled = excluded.sampled, changes = excluded.changes,
                    taken_at = excluded.taken_at
                """)
                        .bind("project", tables.project().value())
                        .bind("schema", schema.id())
                        .bind("rows", statistics.rows())
                        .bind("sampled", sampled)
                        .bind("changes", changes)
                        .execute()
                == 1;
        if (existing) {
            statistics.attributes().forEach((id, attribute) -> save(tx, tables, schema, id, attribute));
        }
        return existing;
    }

    private static void save(Tx tx, ProjectTables tables, Schema schema, short id, AttributeStatistics attribute) {
        tx.update("""
                INSERT INTO records.statistics (project_id, schema_id, attr_id, present, common, others, bounds)
                VALUES (:project, :schema, :attribute, :present, CAST(:common AS jsonb), :others, CAST(:bounds AS jsonb))
                ON CONFLICT (project_id, schema_id, attr_id) DO UPDATE
                SET present = excluded.present, common = excluded.common, others = excluded.others,
                    bounds = excluded.bounds
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema.id())
                .bind("attribute", id)
                .bind("present", attribute.present())
                .bind("common", common(attribute.type(), attribute.common()))
                .bind("others", attribute.others())
                .bind("bounds", bounds(attribute.type(), attribute.bounds()))
                .execute();
    }

    private static String common(ValueType type, Map<HistogramKey, Double> common) {
        var array = Documents.exact().createArrayNode();
        common.forEach((key, fraction) -> array.addArray().add(key.stored(type)).add(fraction));
        return Documents.exact().writeValueAsString(array);
    }

    private static String bounds(ValueType type, List<HistogramKey> bounds) {
        var array = Documents.exact().createArrayNode();
        bounds.forEach(key -> array.add(key.stored(type)));
        return Documents.exact().writeValueAsString(array);
    }

    /** The number of changes of the project's records by pg_stat, which restarts at 0 after a crash. */
    long changes(Reads reads, ProjectTables tables) {
        return reads.query("""
                SELECT COALESCE(pg_stat_get_tuples_inserted(t.oid) + pg_stat_get_tuples_updated(t.oid)
                    + pg_stat_get_tuples_deleted(t.oid), 0)
                FROM (SELECT CAST(to_regclass(:records) AS oid) AS oid) AS t
                """)
                .bind("records", tables.records())
                .mapTo(Long.class)
                .one();
    }

    /** Only one node samples a schema at a time. */
    boolean lock(Tx tx, ProjectTables tables, Schema schema) {
        return tx.query("SELECT pg_try_advisory_xact_lock(hashtext('records.sample'), hashtext(:which))")
                .bind("which", tables.project().hex() + "/" + schema.id())
                .mapTo(Boolean.class)
                .one();
    }

    /** Counts the records up to {@code most}. */
    long count(Reads reads, ProjectTables tables, Schema schema, long most) {
        return reads.query("""
                SELECT count(*) FROM (SELECT FROM %s WHERE schema_id = :schema LIMIT :most) AS r
                """.formatted(tables.records()))
                .bind("schema", schema.id())
                .bind("most", most)
                .mapTo(Long.class)
                .one();
    }

    /** The planner's estimate of the records of all schemas of the project. */
    double planned(Reads reads, ProjectTables tables) {
        return reads.query("SELECT GREATEST(reltuples, 0) FROM pg_class WHERE oid = to_regclass(:records)")
                .bind("records", tables.records())
                .mapTo(Double.class)
                .findOne()
                .orElse(0.0);
    }

    /** Samples each record of the schema with the probability {@code fraction}, in a scan of the schema. */
    ValueSample each(Tx tx, ProjectTables tables, Schema schema, double fraction) {
        return read(
                tx,
                schema,
                "%s AS r WHERE r.schema_id = :schema%s"
                        .formatted(tables.records(), fraction < 1 ? " AND random() < " + fraction : ""));
    }

    /** Samples pages of the table with the probability {@code fraction}. */
    ValueSample pages(Tx tx, ProjectTables tables, Schema schema, double fraction) {
        return read(
                tx,
                schema,
                "%s AS r TABLESAMPLE SYSTEM (%s) WHERE r.schema_id = :schema"
                        .formatted(tables.records(), fraction * 100));
    }

    private static ValueSample read(Tx tx, Schema schema, String from) {
        var attributes = schema.attributes();
        var columns = attributes.isEmpty()
                ? "NULL"
                : attributes.stream().map(StatisticsStore::column).collect(Collectors.joining(", "));
        var sample = new ValueSample(attributes);
        tx.query("SELECT ARRAY[%s]::text[] AS written FROM %s".formatted(columns, from))
                .bind("schema", schema.id())
                .setFetchSize(BATCH)
                .map(row -> (String[]) row.getArray("written").getArray())
                .forEach(sample::add);
        return sample;
    }

    /** Reads a prefix only: a text may have a million characters. */
    private static String column(SchemaAttribute attribute) {
        if (attribute.type() == ValueType.JSONB) {
            return "CASE WHEN jsonb_typeof(r.doc -> %1$d) <> 'null' THEN '' END".formatted(attribute.place());
        }
        var value = "r.doc ->> " + attribute.place();
        return attribute.type() == ValueType.TEXT ? "left(%s, %d)".formatted(value, HistogramKey.TEXT) : value;
    }
}
