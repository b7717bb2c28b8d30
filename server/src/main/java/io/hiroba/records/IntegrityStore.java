package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Looks up unique values and references. */
final class IntegrityStore {

    /** The indexes of {@code attributes} and {@code values} that records outside of {@code batch} have already. */
    Set<Integer> taken(
            Reads reads,
            ProjectTables tables,
            short schema,
            List<Short> attributes,
            List<String> values,
            Collection<RowId> batch) {
        return reads.query("""
                SELECT CAST(c.place AS int) - 1
                FROM unnest(:attributes, :values) WITH ORDINALITY AS c (attr_id, value, place)
                JOIN %s AS u ON u.schema_id = :schema AND u.attr_id = c.attr_id
                    AND u.value_key = records.unique_key(c.attr_id, c.value)
                WHERE u.row_id <> ALL (:batch)
                """.formatted(tables.uniqueValues()))
                .bind("schema", schema)
                .bindArray("attributes", Short.class, attributes.toArray())
                .bindArray("values", String.class, values.toArray())
                .bindArray("batch", UUID.class, RecordStore.uuids(batch))
                .mapTo(Integer.class)
                .set();
    }

    /** The records that have {@code values} of a unique attribute, by the indexes of these. */
    Map<Integer, RowId> owners(Reads reads, ProjectTables tables, short schema, short attribute, List<String> values) {
        return reads
                .query("""
                SELECT CAST(c.place AS int) - 1 AS place, u.row_id
                FROM unnest(:values) WITH ORDINALITY AS c (value, place)
                JOIN %s AS u ON u.schema_id = :schema AND u.attr_id = :attribute
                    AND u.value_key = records.unique_key(:attribute, c.value)
                """.formatted(tables.uniqueValues()))
                .bind("schema", schema)
                .bind("attribute", attribute)
                .bindArray("values", String.class, values.toArray())
                .map(row -> Map.entry(row.getInt("place"), new RowId(row.getObject("row_id", UUID.class))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Those of {@code ids} that exist and are readable. */
    Set<UUID> seen(Reads reads, ProjectTables tables, RecordAccess recordAccess, Collection<UUID> ids) {
        boolean byValues = recordAccess.rules().matching() != null
                || !recordAccess.rules().where().isEmpty();
        record Found(UUID id, boolean seen) {}
        return reads
                .query("""
                SELECT row_id, created_by, CASE WHEN :by_values THEN doc ELSE '[]' END AS doc
                FROM %s
                WHERE schema_id = :schema AND row_id = ANY (:ids)
                """.formatted(tables.records()))
                .bind("schema", recordAccess.schema().id())
                .bind("by_values", byValues)
                .bindArray("ids", UUID.class, ids.toArray())
                .map(row -> new Found(
                        row.getObject("row_id", UUID.class),
                        recordAccess.canReadRow(
                                new UserId(row.getLong("created_by")), Documents.read(row.getString("doc")))))
                .stream()
                .filter(Found::seen)
                .map(Found::id)
                .collect(Collectors.toSet());
    }

    /** Those of {@code people} who are members of the project. */
    Set<UserId> members(Reads reads, ProjectId project, Collection<UserId> people) {
        return reads.query(
                        "SELECT user_id FROM records.members WHERE project_id = :project AND user_id = ANY (:people)")
                .bind("project", project.value())
                .bindArray("people", Long.class, people, UserId::value)
                .map(row -> new UserId(row.getLong("user_id")))
                .set();
    }

    /** Whether the record exists, readable or not. */
    boolean exists(Reads reads, ProjectTables tables, short schema, UUID id) {
        return reads.query("SELECT EXISTS (SELECT FROM %s WHERE schema_id = :schema AND row_id = :id)"
                        .formatted(tables.records()))
                .bind("schema", schema)
                .bind("id", id)
                .mapTo(Boolean.class)
                .one();
    }

    /** Those of {@code ids} that records outside of {@code ids} refer to. */
    Set<UUID> referredTo(Reads reads, ProjectTables tables, short schema, Collection<RowId> ids) {
        return reads.query("""
                SELECT DISTINCT target_row
                FROM %s
                WHERE target_schema = :schema AND target_row = ANY (:ids)
                  AND NOT (schema_id = :schema AND row_id = ANY (:ids))
                """.formatted(tables.links()))
                .bind("schema", schema)
                .bindArray("ids", UUID.class, RecordStore.uuids(ids))
                .mapTo(UUID.class)
                .set();
    }
}
