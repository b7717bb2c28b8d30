package io.hiroba.records.query;

import io.hiroba.platform.db.Reads;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Schema;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Runs tests on documents that are found by their ids, or on all of them. */
final class MatchingStore {

    /** @param test of the row {@code r} */
    List<UUID> among(Reads reads, Tables tables, Schema schema, String test, Sql sql, Collection<UUID> rows) {
        return sql.bindTo(reads.query("""
                SELECT r.row_id
                FROM %s AS r
                WHERE r.schema_id = :schema AND r.row_id = ANY (:rows) AND %s
                """.formatted(tables.records(), test)))
                .bind("schema", schema.id())
                .bindArray("rows", UUID.class, rows.toArray())
                .mapTo(UUID.class)
                .list();
    }

    /** @param test of the row {@code r} */
    List<UUID> all(Reads reads, Tables tables, Schema schema, String test, Sql sql, int limit) {
        return sql.bindTo(reads.query("""
                SELECT r.row_id
                FROM %s AS r
                WHERE r.schema_id = :schema AND %s
                LIMIT :limit
                """.formatted(tables.records(), test)))
                .bind("schema", schema.id())
                .bind("limit", limit)
                .mapTo(UUID.class)
                .list();
    }
}
