package io.hiroba.records;

import io.hiroba.platform.db.Tx;

/** Counts numbers that are given, and fills in the values of attributes that records get by themselves. */
final class GeneratedValueStore {

    /** Takes {@code count} numbers and returns the last of them. Others wait for the next ones until {@code tx} ends, so that none is left out. */
    long take(Tx tx, ProjectTables tables, short schema, SchemaAttribute attribute, int count) {
        return tx.query("""
                INSERT INTO records.autonumbers AS a (project_id, schema_id, attr_id, last)
                VALUES (:project, :schema, :attribute, :count)
                ON CONFLICT (project_id, schema_id, attr_id) DO UPDATE SET last = a.last + excluded.last
                RETURNING last
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("count", (long) count)
                .mapTo(Long.class)
                .one();
    }

    /** Fills in the values of the records that there are, which get no other version, and returns how many. */
    int fill(Tx tx, ProjectTables tables, short schema, SchemaAttribute attribute, ValueFormat.Kind kind) {
        var value = switch (kind) {
            case AUTONUMBER -> "row_number() OVER (ORDER BY row_id)";
            case CREATED_AT ->
                "CAST(CAST('x' || translate(left(CAST(row_id AS text), 13), '-', '') AS bit(48)) AS bigint) * 1000";
            case CREATED_BY -> "upper(lpad(to_hex(created_by), 16, '0'))";
            case UPDATED_AT -> "CAST(extract(epoch FROM updated_at) * 1000000 AS bigint)";
            case UPDATED_BY -> "upper(lpad(to_hex(updated_by), 16, '0'))";
            case LONG_TEXT, EMAIL, PHONE, URL, PERSON, ATTACHMENTS, CURRENCY, PERCENT, RATING, DURATION ->
                throw new IllegalArgumentException("people write it: " + kind);
        };
        return tx.update("""
                UPDATE %1$s AS r SET doc = records.with_value(r.doc, %2$d, to_jsonb(v.value))
                FROM (SELECT row_id, %3$s AS value FROM %1$s WHERE schema_id = :schema) AS v
                WHERE r.schema_id = :schema AND r.row_id = v.row_id
                """.formatted(tables.records(), attribute.place(), value))
                .bind("schema", schema)
                .execute();
    }
}
