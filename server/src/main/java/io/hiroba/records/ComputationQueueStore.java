package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The queue of records whose computed values are out of date. What is claimed is locked until the transaction ends. */
final class ComputationQueueStore {

    /** Has all records of a schema computed. */
    void queueAll(Tx tx, ProjectTables tables, short schema, @Nullable Short attribute) {
        tx.update("""
                INSERT INTO records.computations (project_id, schema_id, attr_id) VALUES (:project, :schema, :attribute)
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute)
                .execute();
    }

    /** Has records computed. */
    void queue(Tx tx, ProjectTables tables, short schema, Collection<RowId> rows) {
        tx.update("""
                INSERT INTO records.computations (project_id, schema_id, row_id)
                SELECT :project, :schema, n.row_id FROM unnest(:ids) AS n (row_id)
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bindArray("ids", UUID.class, RecordStore.uuids(rows))
                .execute();
    }

    /** Has the records computed that refer to one of {@code targets} by {@code relation}. */
    void queueReferring(Tx tx, ProjectTables tables, short schema, short relation, Collection<RowId> targets) {
        tx.update("""
                INSERT INTO records.computations (project_id, schema_id, target_row, relation)
                SELECT :project, :schema, n.row_id, :relation FROM unnest(:ids) AS n (row_id)
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("relation", relation)
                .bindArray("ids", UUID.class, RecordStore.uuids(targets))
                .execute();
    }

    /**
     * Records that are to be computed.
     *
     * @param row the only one; null for several
     * @param target the one that they refer to; null for all of the schema
     * @param position the last that was computed
     */
    record Work(
            long id,
            ProjectId project,
            short schema,
            @Nullable UUID row,
            @Nullable UUID target,
            @Nullable Short relation,
            @Nullable UUID position) {}

    /** The next work that no node has, locked until {@code tx} ends; of single records of a schema, some at once. */
    List<Work> claim(Tx tx, int most) {
        var first = tx.query("""
                SELECT id, project_id, schema_id, row_id, target_row, relation, position FROM records.computations
                WHERE retry_at IS NULL OR retry_at <= now()
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
                """).map(ComputationQueueStore::work).findOne();
        if (first.isEmpty() || first.get().row() == null) {
            return first.stream().toList();
        }
        return tx.query("""
                SELECT id, project_id, schema_id, row_id, target_row, relation, position FROM records.computations
                WHERE project_id = :project AND schema_id = :schema AND row_id IS NOT NULL
                  AND (retry_at IS NULL OR retry_at <= now())
                ORDER BY id LIMIT :most FOR UPDATE SKIP LOCKED
                """)
                .bind("project", first.get().project().value())
                .bind("schema", first.get().schema())
                .bind("most", most)
                .map(ComputationQueueStore::work)
                .list();
    }

    private static Work work(ResultSet row) throws SQLException {
        short relation = row.getShort("relation");
        boolean refers = !row.wasNull();
        return new Work(
                row.getLong("id"),
                new ProjectId(row.getLong("project_id")),
                row.getShort("schema_id"),
                row.getObject("row_id", UUID.class),
                row.getObject("target_row", UUID.class),
                refers ? (Short) relation : null,
                row.getObject("position", UUID.class));
    }

    void delete(Tx tx, List<Work> done) {
        tx.update("DELETE FROM records.computations WHERE id = ANY (:ids)")
                .bindArray("ids", Long.class, done.stream().map(Work::id).toArray())
                .execute();
    }

    void advance(Tx tx, Work work, UUID position) {
        tx.update("UPDATE records.computations SET position = :position, attempts = 0, retry_at = NULL WHERE id = :id")
                .bind("id", work.id())
                .bind("position", position)
                .execute();
    }

    void retry(Tx tx, List<Work> failed, Duration delay) {
        tx.update("""
                UPDATE records.computations SET attempts = attempts + 1, retry_at = now() + make_interval(secs => :delay)
                WHERE id = ANY (:ids)
                """)
                .bindArray("ids", Long.class, failed.stream().map(Work::id).toArray())
                .bind("delay", delay.toMillis() / 1000.0)
                .execute();
    }

    /** The next records of {@code work}. */
    List<RowId> rows(Reads reads, ProjectTables tables, Work work, int limit) {
        var target = work.target();
        var query = target == null
                ? reads.query("""
                        SELECT row_id FROM %s WHERE schema_id = :schema AND row_id > :after ORDER BY row_id LIMIT :limit
                        """.formatted(tables.records()))
                : reads.query("""
                        SELECT l.row_id FROM %s AS l
                        JOIN %s AS a ON a.schema_id = l.schema_id AND a.attr_id = l.attr_id
                        WHERE l.target_schema = a.target_schema AND l.target_row = :target AND l.schema_id = :schema
                          AND l.attr_id = :relation AND l.row_id > :after
                        ORDER BY l.row_id LIMIT :limit
                        """.formatted(tables.links(), tables.attributes()))
                        .bind("target", target)
                        .bind("relation", work.relation());
        return query.bind("schema", work.schema())
                .bind("after", work.position() == null ? RetypeStore.FIRST : work.position())
                .bind("limit", limit)
                .map(row -> new RowId(row.getObject("row_id", UUID.class)))
                .list();
    }

    /** Whether a record is to be computed, which refers to {@code targets}. */
    boolean isDue(Reads reads, ProjectTables tables, short schema, RowId row, Collection<UUID> targets) {
        return reads.query("""
                SELECT EXISTS (
                    SELECT FROM records.computations
                    WHERE project_id = :project AND schema_id = :schema
                      AND (row_id = :row
                           OR (row_id IS NULL AND (position IS NULL OR position < :row)
                               AND (target_row IS NULL OR target_row = ANY (:targets)))))
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("row", row.value())
                .bindArray("targets", UUID.class, targets.toArray())
                .mapTo(Boolean.class)
                .one();
    }
}
