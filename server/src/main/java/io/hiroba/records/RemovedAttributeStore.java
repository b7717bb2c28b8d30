package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;

/**
 * Reads and writes attributes that were removed. Their rows stay, as history and documents go by them, under names that no
 * attribute can have.
 */
final class RemovedAttributeStore {

    void remove(Tx tx, ProjectTables tables, short schema, Schema.Removed removed) {
        tx.update("""
                INSERT INTO records.removed_attributes (project_id, schema_id, attr_id, name, removed_at, until)
                VALUES (:project, :schema, :attribute, :name, :at, :until)
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", removed.attribute().id())
                .bind("name", removed.attribute().name())
                .bind("at", RecordStore.time(removed.at()))
                .bind("until", RecordStore.time(removed.until()))
                .execute();
        tx.update("UPDATE %s SET attr_name = '_' || attr_id WHERE schema_id = :schema AND attr_id = :attribute"
                        .formatted(tables.attributes()))
                .bind("schema", schema)
                .bind("attribute", removed.attribute().id())
                .execute();
    }

    /** Forgets that it was removed; its name is to be written by {@link SchemaStore#putAttributes}. */
    void restore(Tx tx, ProjectTables tables, short schema, SchemaAttribute attribute) {
        tx.update("""
                DELETE FROM records.removed_attributes
                WHERE project_id = :project AND schema_id = :schema AND attr_id = :attribute
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute.id())
                .execute();
    }

    void reorder(Tx tx, ProjectTables tables, short schema, List<Short> order) {
        tx.update("""
                UPDATE %s AS a SET position = o.position
                FROM unnest(:order) WITH ORDINALITY AS o (attr_id, position)
                WHERE a.schema_id = :schema AND a.attr_id = o.attr_id
                """.formatted(tables.attributes()))
                .bind("schema", schema)
                .bindArray("order", Short.class, order.toArray())
                .execute();
    }

    /** An attribute that cannot be restored any more. */
    record Gone(ProjectId project, short schema, short attribute) {}

    List<Gone> expired(Reads reads, Instant now) {
        return reads.query("""
                SELECT project_id, schema_id, attr_id FROM records.removed_attributes
                WHERE until <= :now ORDER BY until LIMIT 100
                """)
                .bind("now", RecordStore.time(now))
                .map(row -> new Gone(
                        new ProjectId(row.getLong("project_id")), row.getShort("schema_id"), row.getShort("attr_id")))
                .list();
    }

    /** Gives it up, so that records that it referred to may go; false if it is not there to be given up. */
    boolean giveUp(Tx tx, ProjectTables tables, Gone gone, Instant now) {
        int given = tx.update("""
                DELETE FROM records.removed_attributes
                WHERE project_id = :project AND schema_id = :schema AND attr_id = :attribute AND until <= :now
                """)
                .bind("project", tables.project().value())
                .bind("schema", gone.schema())
                .bind("attribute", gone.attribute())
                .bind("now", RecordStore.time(now))
                .execute();
        if (given == 0) {
            return false;
        }
        for (var table : List.of(tables.links(), tables.uniqueValues(), tables.choices())) {
            tx.update("DELETE FROM %s WHERE schema_id = :schema AND attr_id = :attribute".formatted(table))
                    .bind("schema", gone.schema())
                    .bind("attribute", gone.attribute())
                    .execute();
        }
        tx.update("""
                UPDATE %s SET is_unique = false, target_schema = NULL WHERE schema_id = :schema AND attr_id = :attribute
                """.formatted(tables.attributes()))
                .bind("schema", gone.schema())
                .bind("attribute", gone.attribute())
                .execute();
        return true;
    }

    /** Deletes up to {@code limit} of its indexed values and returns how many. */
    int deleteValues(Tx tx, ProjectTables tables, Gone gone, int limit) {
        // By the index of its type's values, which has no others.
        return tx.update("""
                DELETE FROM %1$s
                WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM %1$s
                    WHERE schema_id = :schema AND attr_id = :attribute AND %2$s IS NOT NULL
                    LIMIT :limit))
                """.formatted(
                        tables.eav(), ValueType.storedBy(gone.attribute()).column()))
                .bind("schema", gone.schema())
                .bind("attribute", gone.attribute())
                .bind("limit", limit)
                .execute();
    }
}
