package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads which records have a value, by its index, and the texts of records. */
final class RecordNameStore {

    /** The records whose text {@code attribute} is {@code text}. */
    List<UUID> withText(
            Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute, String text, int limit) {
        return reads.query("""
                SELECT r.row_id
                FROM %s AS e
                JOIN %s AS r ON r.schema_id = e.schema_id AND r.row_id = e.row_id AND r.doc ->> :place = :text
                WHERE e.schema_id = :schema AND e.attr_id = :attribute
                  AND e.value_text = left(CAST(:text AS text), :indexed) COLLATE "C" AND e.value_text IS NOT NULL
                LIMIT :limit
                """.formatted(tables.eav(), tables.records()))
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("place", attribute.place())
                .bind("text", text)
                .bind("indexed", ValueType.INDEXED_TEXT)
                .bind("limit", limit)
                .mapTo(UUID.class)
                .list();
    }

    /** The records whose number {@code attribute} is {@code number}. */
    List<UUID> withNumber(
            Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute, BigDecimal number, int limit) {
        return reads.query("""
                SELECT row_id FROM %s
                WHERE schema_id = :schema AND attr_id = :attribute AND value_numeric = :number AND value_numeric IS NOT NULL
                LIMIT :limit
                """.formatted(tables.eav()))
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("number", number)
                .bind("limit", limit)
                .mapTo(UUID.class)
                .list();
    }

    /** The texts of {@code ids}, without those that have none. */
    Map<UUID, String> texts(
            Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute, Collection<UUID> ids) {
        return reads
                .query("""
                SELECT row_id, doc ->> :place AS text
                FROM %s
                WHERE schema_id = :schema AND row_id = ANY (:ids) AND doc ->> :place IS NOT NULL
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", attribute.place())
                .bindArray("ids", UUID.class, ids.toArray())
                .map(row -> Map.entry(row.getObject("row_id", UUID.class), row.getString("text")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
