package io.hiroba.records.statistics;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.ValueType;
import java.util.stream.Collectors;

/** Looks through a schema's records. */
final class SampleStore {

    private static final int BATCH = 500;

    /** What pg_stat counted of changes to the project's records. After a crash of the database it starts again. */
    long changes(Reads reads, Tables tables) {
        return reads.query("""
                SELECT COALESCE(pg_stat_get_tuples_inserted(t.oid) + pg_stat_get_tuples_updated(t.oid)
                    + pg_stat_get_tuples_deleted(t.oid), 0)
                FROM (SELECT CAST(to_regclass(:records) AS oid) AS oid) AS t
                """)
                .bind("records", tables.records())
                .mapTo(Long.class)
                .one();
    }

    /** One node looks through a schema at a time. */
    boolean lock(Tx tx, Tables tables, Schema schema) {
        return tx.query("SELECT pg_try_advisory_xact_lock(hashtext('records.sample'), hashtext(:which))")
                .bind("which", tables.project().hex() + "/" + schema.id())
                .mapTo(Boolean.class)
                .one();
    }

    /** How many records there are; {@code most} if there are that many or more. */
    long count(Reads reads, Tables tables, Schema schema, long most) {
        return reads.query("""
                SELECT count(*) FROM (SELECT FROM %s WHERE schema_id = :schema LIMIT :most) AS r
                """.formatted(tables.records()))
                .bind("schema", schema.id())
                .bind("most", most)
                .mapTo(Long.class)
                .one();
    }

    /** How many records all schemas of the project have together, as the planner has it. */
    double planned(Reads reads, Tables tables) {
        return reads.query("SELECT GREATEST(reltuples, 0) FROM pg_class WHERE oid = to_regclass(:records)")
                .bind("records", tables.records())
                .mapTo(Double.class)
                .findOne()
                .orElse(0.0);
    }

    /** Each record with the chance {@code fraction}, by looking at all of the schema. */
    Sample each(Tx tx, Tables tables, Schema schema, double fraction) {
        return read(
                tx,
                schema,
                "%s AS r WHERE r.schema_id = :schema%s"
                        .formatted(tables.records(), fraction < 1 ? " AND random() < " + fraction : ""));
    }

    /** All records in some pages of the table, each page with the chance {@code fraction}. */
    Sample pages(Tx tx, Tables tables, Schema schema, double fraction) {
        return read(
                tx,
                schema,
                "%s AS r TABLESAMPLE SYSTEM (%s) WHERE r.schema_id = :schema"
                        .formatted(tables.records(), fraction * 100));
    }

    private static Sample read(Tx tx, Schema schema, String from) {
        var attributes = schema.attributes();
        var columns = attributes.isEmpty()
                ? "NULL"
                : attributes.stream().map(SampleStore::column).collect(Collectors.joining(", "));
        var sample = new Sample(attributes);
        tx.query("SELECT ARRAY[%s]::text[] AS written FROM %s".formatted(columns, from))
                .bind("schema", schema.id())
                .setFetchSize(BATCH)
                .map(row -> (String[]) row.getArray("written").getArray())
                .forEach(sample::add);
        return sample;
    }

    /** No more of a value than it takes: a text may have a million characters. */
    private static String column(Attribute attribute) {
        if (attribute.type() == ValueType.JSONB) {
            return "CASE WHEN jsonb_typeof(r.doc -> %1$d) <> 'null' THEN '' END".formatted(attribute.place());
        }
        var value = "r.doc ->> " + attribute.place();
        return attribute.type() == ValueType.TEXT ? "left(%s, %d)".formatted(value, Key.TEXT) : value;
    }
}
