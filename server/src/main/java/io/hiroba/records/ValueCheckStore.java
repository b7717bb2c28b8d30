package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** Checks the values that records have against a constraint that an attribute is to get, and has the database enforce it or not. */
final class ValueCheckStore {

    /** The most examples of a finding. */
    private static final int MAX_EXAMPLES = 20;

    /** The records that are read at a time. */
    private static final int FETCHED = 1000;

    /**
     * A record that is in the way.
     *
     * @param value as it is written in the document; null for none
     * @param reason why the value is wrong by itself
     */
    record Found(RowId id, @Nullable String value, @Nullable Text reason) {

        Found(RowId id, @Nullable String value) {
            this(id, value, null);
        }
    }

    /** The values that do not have a format: how many, and some of them. */
    record Misfits(long count, List<Found> examples) {}

    long count(Reads reads, ProjectTables tables, short schema) {
        return reads.query("SELECT count(*) FROM %s WHERE schema_id = :schema".formatted(tables.records()))
                .bind("schema", schema)
                .mapTo(Long.class)
                .one();
    }

    long countMissing(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        return reads.query("SELECT count(*) FROM %s WHERE schema_id = :schema AND doc ->> :place IS NULL"
                        .formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", attribute.place())
                .mapTo(Long.class)
                .one();
    }

    List<Found> missing(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        return reads.query("""
                SELECT row_id FROM %s WHERE schema_id = :schema AND doc ->> :place IS NULL ORDER BY row_id LIMIT :limit
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", attribute.place())
                .bind("limit", MAX_EXAMPLES)
                .map(row -> new Found(new RowId(row.getObject("row_id", UUID.class)), null))
                .list();
    }

    /** The records whose value another has as well. */
    private static final String DUPLICATES = """
            SELECT r.row_id, r.doc ->> :place AS value, records.unique_key(:attribute, r.doc ->> :place) AS value_key,
                   count(*) OVER (PARTITION BY records.unique_key(:attribute, r.doc ->> :place)) AS times
            FROM %s AS r
            WHERE r.schema_id = :schema AND r.doc ->> :place IS NOT NULL
            """;

    long countDuplicates(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        return reads.query(
                        ("SELECT count(*) FROM (" + DUPLICATES + ") AS d WHERE times > 1").formatted(tables.records()))
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("place", attribute.place())
                .mapTo(Long.class)
                .one();
    }

    List<Found> duplicates(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        return reads.query(("SELECT row_id, value FROM (" + DUPLICATES
                                + ") AS d WHERE times > 1 ORDER BY value_key, row_id LIMIT :limit")
                        .formatted(tables.records()))
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("place", attribute.place())
                .bind("limit", MAX_EXAMPLES)
                .map(row -> new Found(new RowId(row.getObject("row_id", UUID.class)), row.getString("value")))
                .list();
    }

    /** The records whose value does not have the format of {@code attribute}. */
    Misfits misfits(Reads reads, ProjectTables tables, short schema, SchemaAttribute attribute) {
        var count = new AtomicLong();
        var examples = new ArrayList<Found>();
        reads.query("""
                SELECT row_id, doc ->> :place AS value FROM %s
                WHERE schema_id = :schema AND doc ->> :place IS NOT NULL
                ORDER BY row_id
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("place", attribute.place())
                .setFetchSize(FETCHED)
                .map(row -> new Found(new RowId(row.getObject("row_id", UUID.class)), row.getString("value")))
                .forEach(found -> {
                    var value = Objects.requireNonNull(found.value());
                    try {
                        ValueFormat.require(
                                attribute,
                                attribute.type() == ValueType.NUMERIC
                                        ? JsonNodeFactory.instance.numberNode(new BigDecimal(value))
                                        : JsonNodeFactory.instance.stringNode(value));
                    } catch (InvalidValueException e) {
                        count.incrementAndGet();
                        if (examples.size() < MAX_EXAMPLES) {
                            examples.add(new Found(found.id(), value, e.reason()));
                        }
                    }
                });
        return new Misfits(count.get(), examples);
    }

    /** Deletes the keys of all values, also those that are left of an earlier time when it was unique. */
    void deleteUniqueValues(Tx tx, ProjectTables tables, short schema, SchemaAttribute attribute) {
        tx.update("DELETE FROM %s WHERE schema_id = :schema AND attr_id = :attribute".formatted(tables.uniqueValues()))
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .execute();
    }

    /** Writes the keys of all values of an attribute that becomes unique. */
    void fillUniqueValues(Tx tx, ProjectTables tables, short schema, SchemaAttribute attribute) {
        tx.update("""
                INSERT INTO %s (schema_id, attr_id, value_key, row_id)
                SELECT r.schema_id, :attribute, records.unique_key(:attribute, r.doc ->> :place), r.row_id
                FROM %s AS r
                WHERE r.schema_id = :schema AND r.doc ->> :place IS NOT NULL
                """.formatted(tables.uniqueValues(), tables.records()))
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .bind("place", attribute.place())
                .execute();
    }

    /** Deletes up to {@code limit} values of the attribute and returns how many. */
    int deleteUniqueValues(Tx tx, ProjectTables tables, short id, short attribute, int limit) {
        return tx.update("""
                DELETE FROM %1$s AS u
                USING (SELECT value_key FROM %1$s WHERE schema_id = :id AND attr_id = :attribute LIMIT :limit) AS few
                WHERE u.schema_id = :id AND u.attr_id = :attribute AND u.value_key = few.value_key
                  AND NOT EXISTS (
                      SELECT FROM %2$s AS a WHERE a.schema_id = :id AND a.attr_id = :attribute AND a.is_unique)
                """.formatted(tables.uniqueValues(), tables.attributes()))
                .bind("id", id)
                .bind("attribute", attribute)
                .bind("limit", limit)
                .execute();
    }

    void deleteReferences(Tx tx, ProjectTables tables, short id, short attribute) {
        tx.update("DELETE FROM %s WHERE schema_id = :id AND attr_id = :attribute".formatted(tables.links()))
                .bind("id", id)
                .bind("attribute", attribute)
                .execute();
    }
}
