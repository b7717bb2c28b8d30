package io.hiroba.records.tuning;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes hot indexes: their states, scans and measured effects. */
final class HotIndexStore {

    private static final String READ = """
            SELECT h.project_id, p.client_id, h.name, h.schema_id, h.equality_attr, h.order_attr, h.state, h.reason,
                   h.asked_by, h.asked_at, h.ready_at, h.failure, h.baseline_ms, h.index_ms,
                   h.scans + CASE WHEN h.state = 'READY'
                       THEN GREATEST(COALESCE(pg_stat_get_numscans(c.oid), 0) - h.seen_scans, 0) ELSE 0 END AS scans,
                   h.used_at, COALESCE(pg_relation_size(c.oid), 0) AS bytes
            FROM records.hot_indexes AS h
            JOIN records.projects AS p ON p.id = h.project_id
            LEFT JOIN pg_class AS c ON c.relname = h.name AND c.relnamespace = CAST('records' AS regnamespace)
            """;

    /** Those of schemas that are there. */
    List<StoredIndex> of(Reads reads, ProjectId project) {
        return reads.query(READ + """
                WHERE h.project_id = :project AND NOT EXISTS (
                    SELECT FROM records.removed_schemas AS d WHERE d.project_id = h.project_id AND d.schema_id = h.schema_id)
                ORDER BY h.schema_id, h.asked_at, h.name
                """)
                .bind("project", project.value())
                .map(row -> index(row))
                .list();
    }

    Optional<StoredIndex> find(Reads reads, ProjectId project, String name) {
        return reads.query(READ + "WHERE h.project_id = :project AND h.name = :name")
                .bind("project", project.value())
                .bind("name", name)
                .map(row -> index(row))
                .findOne();
    }

    /**
     * The next index to build: first those with fewer failures, then one that a crash interrupted, then the oldest.
     */
    Optional<StoredIndex> nextToBuild(Reads reads) {
        return reads.query(READ + """
                WHERE h.state IN ('WANTED', 'BUILDING') AND NOT EXISTS (
                    SELECT FROM records.removed_schemas AS d WHERE d.project_id = h.project_id AND d.schema_id = h.schema_id)
                ORDER BY h.attempts, h.state, h.asked_at, h.name LIMIT 1
                """).map(row -> index(row)).findOne();
    }

    /** The next index to drop, if all nodes know: the change must be older than {@code before}. */
    List<StoredIndex> toDrop(Reads reads, Instant before) {
        return reads.query(READ + "WHERE h.state = 'DROPPING' AND h.dropping_at <= :before ORDER BY h.dropping_at")
                .bind("before", before)
                .map(row -> index(row))
                .list();
    }

    /** Whether the index is valid; empty if it does not exist. */
    Optional<Boolean> valid(Reads reads, String name) {
        return reads.query("""
                SELECT i.indisvalid AND i.indisready FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid
                WHERE c.relname = :name AND c.relnamespace = CAST('records' AS regnamespace)
                """).bind("name", name).mapTo(Boolean.class).findOne();
    }

    /** Locks the project's indexes until {@code tx} ends. */
    boolean lock(Tx tx, ProjectId project) {
        return tx.query("SELECT id FROM records.projects WHERE id = :project FOR NO KEY UPDATE")
                .bind("project", project.value())
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    /** The number of other indexes of the schema, including pending ones. */
    int countOthers(Tx tx, ProjectId project, short schema, String name) {
        return tx.query("""
                SELECT count(*) FROM records.hot_indexes
                WHERE project_id = :project AND schema_id = :schema AND name <> :name AND state NOT IN ('FAILED', 'DROPPING')
                """)
                .bind("project", project.value())
                .bind("schema", schema)
                .bind("name", name)
                .mapTo(Integer.class)
                .one();
    }

    /**
     * Requests an index, also one that failed before or was to be dropped. An existing or pending one is unchanged.
     */
    void request(
            Tx tx, ProjectTables tables, short schema, HotIndex index, Text reason, @Nullable UserId by, Instant now) {
        tx.update("""
                INSERT INTO records.hot_indexes
                    (project_id, name, schema_id, equality_attr, order_attr, state, reason, asked_by, asked_at)
                VALUES (:project, :name, :schema, :equality, :order, 'WANTED', :reason, :by, :now)
                ON CONFLICT (project_id, name) DO UPDATE
                SET state = 'WANTED', reason = excluded.reason, asked_by = excluded.asked_by, asked_at = excluded.asked_at,
                    failure = NULL, attempts = 0, dropping_at = NULL
                WHERE hot_indexes.state IN ('FAILED', 'DROPPING')
                """)
                .bind("project", tables.project().value())
                .bind("name", index.name())
                .bind("schema", schema)
                .bind(
                        "equality",
                        index.equality() == null
                                ? null
                                : (Short) index.equality().id())
                .bind("order", index.order().id())
                .bind("reason", StoredText.write(reason))
                .bind("by", by == null ? null : (Long) by.value())
                .bind("now", now)
                .execute();
    }

    void building(Tx tx, StoredIndex index) {
        tx.update("""
                UPDATE records.hot_indexes SET state = 'BUILDING'
                WHERE project_id = :project AND name = :name AND state = 'WANTED'
                """)
                .bind("project", index.tables().project().value())
                .bind("name", index.name())
                .execute();
    }

    /** Unless the index was dropped meanwhile. */
    void ready(Tx tx, StoredIndex index, Instant now) {
        tx.update("""
                UPDATE records.hot_indexes
                SET state = 'READY', ready_at = :now, used_at = NULL, scans = 0, seen_scans = 0, failure = NULL
                WHERE project_id = :project AND name = :name AND state IN ('WANTED', 'BUILDING')
                """)
                .bind("project", index.tables().project().value())
                .bind("name", index.name())
                .bind("now", now)
                .execute();
    }

    /** The scans of the measurement do not count. */
    void measured(Tx tx, StoredIndex index, StoredIndex.Effect effect) {
        tx.update("""
                UPDATE records.hot_indexes AS h
                SET baseline_ms = :baseline, index_ms = :index,
                    seen_scans = COALESCE((SELECT pg_stat_get_numscans(c.oid) FROM pg_class AS c
                        WHERE c.relname = h.name AND c.relnamespace = CAST('records' AS regnamespace)), 0)
                WHERE h.project_id = :project AND h.name = :name
                """)
                .bind("project", index.tables().project().value())
                .bind("name", index.name())
                .bind("baseline", effect.baselineMillis())
                .bind("index", effect.indexMillis())
                .execute();
    }

    /** Counts a failed attempt and returns the number of attempts. */
    int countAttempt(Tx tx, StoredIndex index) {
        return tx.query("""
                UPDATE records.hot_indexes SET attempts = attempts + 1
                WHERE project_id = :project AND name = :name
                RETURNING attempts
                """)
                .bind("project", index.tables().project().value())
                .bind("name", index.name())
                .mapTo(Integer.class)
                .findOne()
                .orElse(0);
    }

    void failed(Tx tx, StoredIndex index, Text failure) {
        tx.update("""
                UPDATE records.hot_indexes SET state = 'FAILED', failure = :failure
                WHERE project_id = :project AND name = :name AND state IN ('WANTED', 'BUILDING')
                """)
                .bind("project", index.tables().project().value())
                .bind("name", index.name())
                .bind("failure", StoredText.write(failure))
                .execute();
    }

    /** Returns false if it does not exist. */
    boolean drop(Tx tx, ProjectId project, String name, Instant now) {
        return tx.update("""
                UPDATE records.hot_indexes SET state = 'DROPPING', dropping_at = COALESCE(dropping_at, :now)
                WHERE project_id = :project AND name = :name
                """)
                        .bind("project", project.value())
                        .bind("name", name)
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** Deletes the row of a dropped index, unless it was requested again. */
    void deleteDropped(Tx tx, StoredIndex index) {
        tx.update("""
                DELETE FROM records.hot_indexes WHERE project_id = :project AND name = :name AND state = 'DROPPING'
                """)
                .bind("project", index.tables().project().value())
                .bind("name", index.name())
                .execute();
    }

    private static StoredIndex index(ResultSet row) throws SQLException {
        double baseline = row.getDouble("baseline_ms");
        boolean measured = !row.wasNull();
        var failure = row.getString("failure");
        return new StoredIndex(
                new ProjectTables(new UserId(row.getLong("client_id")), new ProjectId(row.getLong("project_id"))),
                row.getString("name"),
                row.getShort("schema_id"),
                row.getObject("equality_attr") == null ? null : (Short) row.getShort("equality_attr"),
                row.getShort("order_attr"),
                IndexState.valueOf(row.getString("state")),
                StoredText.read(row.getString("reason")),
                row.getObject("asked_by") == null ? null : (Long) row.getLong("asked_by"),
                Columns.instant(row, "asked_at"),
                Columns.instantOrNull(row, "ready_at"),
                failure == null ? null : StoredText.read(failure),
                measured ? new StoredIndex.Effect(baseline, row.getDouble("index_ms")) : null,
                row.getLong("scans"),
                Columns.instantOrNull(row, "used_at"),
                row.getLong("bytes"));
    }

    record Row(short schema, @Nullable Short equality, short order, String name) {

        /** The index with its attributes; null if {@code schema} does not have them any more. */
        Optional<HotIndex> index(Schema of) {
            var by = of.attribute(order);
            var equal = equality == null ? Optional.<SchemaAttribute>empty() : of.attribute(equality);
            return by.isEmpty() || (equality != null && equal.isEmpty())
                    ? Optional.empty()
                    : Optional.of(new HotIndex(equal.orElse(null), by.get(), name));
        }
    }

    /** Indexes that are ready and valid: somebody may have dropped one manually. */
    List<Row> ready(Reads reads, ProjectTables tables) {
        return reads.query("""
                SELECT h.schema_id, h.equality_attr, h.order_attr, h.name
                FROM records.hot_indexes AS h
                JOIN pg_class AS c ON c.relname = h.name AND c.relnamespace = CAST('records' AS regnamespace)
                JOIN pg_index AS i ON i.indexrelid = c.oid AND i.indisvalid AND i.indisready
                WHERE h.project_id = :project AND h.state = 'READY'
                ORDER BY h.name
                """)
                .bind("project", tables.project().value())
                .map(row -> {
                    short equality = row.getShort("equality_attr");
                    boolean none = row.wasNull();
                    return new Row(
                            row.getShort("schema_id"),
                            none ? null : (Short) equality,
                            row.getShort("order_attr"),
                            row.getString("name"));
                })
                .list();
    }

    /** Adds the scans since the last call; if pg_stat was reset, all of them. */
    void noteScans(Tx tx, Instant now) {
        tx.update("""
                UPDATE records.hot_indexes AS h
                SET scans = h.scans + CASE WHEN s.scans >= h.seen_scans THEN s.scans - h.seen_scans ELSE s.scans END,
                    seen_scans = s.scans,
                    used_at = CASE WHEN s.scans > 0 THEN :now ELSE h.used_at END
                FROM (
                    SELECT c.relname, pg_stat_get_numscans(c.oid) AS scans
                    FROM pg_class AS c
                    WHERE c.relnamespace = CAST('records' AS regnamespace) AND c.relkind = 'i'
                      AND c.relname LIKE 'hot\\_%'
                ) AS s
                WHERE s.relname = h.name AND h.state = 'READY' AND s.scans <> h.seen_scans
                """).bind("now", now).execute();
    }

    /** The projects with automatic indexes. */
    List<ProjectTables> automatic(Reads reads) {
        return reads.query("""
                SELECT p.client_id, p.id FROM records.projects AS p
                WHERE p.auto_index
                  AND EXISTS (SELECT FROM records.attribute_use AS u WHERE u.project_id = p.id)
                """)
                .map(row -> new ProjectTables(new UserId(row.getLong("client_id")), new ProjectId(row.getLong("id"))))
                .list();
    }

    /** The number of records of each sampled schema. */
    Map<Short, Double> rowCounts(Reads reads, ProjectId project) {
        var rows = new HashMap<Short, Double>();
        reads.query("SELECT schema_id, row_count FROM records.samples WHERE project_id = :project")
                .bind("project", project.value())
                .map(row -> rows.put(row.getShort("schema_id"), row.getDouble("row_count")) == null)
                .list();
        return rows;
    }

    /** The indexes of projects with automatic indexes that were not used since {@code before}. */
    int dropUnused(Tx tx, Instant before, Instant now) {
        return tx.update("""
                UPDATE records.hot_indexes AS h SET state = 'DROPPING', dropping_at = :now
                FROM records.projects AS p
                WHERE p.id = h.project_id AND p.auto_index AND h.state = 'READY'
                  AND GREATEST(h.ready_at, h.used_at) < :before
                """).bind("before", before).bind("now", now).execute();
    }
}
