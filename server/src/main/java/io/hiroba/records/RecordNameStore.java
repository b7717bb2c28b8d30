package io.hiroba.records;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads which records have a value, by its index, and the texts of records. */
final class RecordNameStore {

    /** The records whose text {@code attribute} is one of {@code texts}, by that text, at most {@code limit} of each. */
    Map<String, List<UUID>> withTexts(
            Reads reads,
            ProjectTables tables,
            short schema,
            SchemaAttribute attribute,
            Collection<String> texts,
            int limit) {
        return byName(reads.query("""
                SELECT wanted.name, found.row_id
                FROM unnest(:texts) AS wanted (name)
                CROSS JOIN LATERAL (
                    SELECT r.row_id
                    FROM %s AS e
                    JOIN %s AS r ON r.schema_id = e.schema_id AND r.row_id = e.row_id AND r.doc ->> :place = wanted.name
                    WHERE e.schema_id = :schema AND e.attr_id = :attribute
                      AND e.value_text = left(wanted.name, :indexed) COLLATE "C" AND e.value_text IS NOT NULL
                    LIMIT :limit) AS found
                """.formatted(tables.eav(), tables.records()))
                .bindArray("texts", String.class, texts.toArray())
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("place", attribute.place())
                .bind("indexed", ValueType.INDEXED_TEXT)
                .bind("limit", limit));
    }

    /** The records whose number {@code attribute} is one of {@code numbers}, by what that is called. */
    Map<String, List<UUID>> withNumbers(
            Reads reads,
            ProjectTables tables,
            short schema,
            SchemaAttribute attribute,
            Map<String, BigDecimal> numbers,
            int limit) {
        var names = List.copyOf(numbers.keySet());
        return byName(reads.query("""
                SELECT wanted.name, found.row_id
                FROM unnest(:names, :numbers) AS wanted (name, number)
                CROSS JOIN LATERAL (
                    SELECT row_id FROM %s
                    WHERE schema_id = :schema AND attr_id = :attribute
                      AND value_numeric = wanted.number AND value_numeric IS NOT NULL
                    LIMIT :limit) AS found
                """.formatted(tables.eav()))
                .bindArray("names", String.class, names.toArray())
                .bindArray(
                        "numbers",
                        BigDecimal.class,
                        names.stream().map(numbers::get).toArray())
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("limit", limit));
    }

    private static Map<String, List<UUID>> byName(Query query) {
        return query.map(row -> Map.entry(row.getString("name"), row.getObject("row_id", UUID.class))).list().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
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
