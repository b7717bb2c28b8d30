package io.hiroba.records.tuning;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Tables;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What follows use by itself: counts of scans, projects that want no asking, indexes that nobody uses. */
final class CareStore {

    /** Adds what pg_stat has counted since; if it has begun anew, all of it is new. */
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

    /** The projects whose indexes follow use without asking. */
    List<Tables> automatic(Reads reads) {
        return reads.query("""
                SELECT p.client_id, p.id FROM records.projects AS p
                WHERE p.auto_index
                  AND EXISTS (SELECT FROM records.attribute_use AS u WHERE u.project_id = p.id)
                """)
                .map(row -> new Tables(new UserId(row.getLong("client_id")), new ProjectId(row.getLong("id"))))
                .list();
    }

    /** How many records each schema of the project has, as far as it was looked through. */
    Map<Short, Double> rows(Reads reads, ProjectId project) {
        var rows = new HashMap<Short, Double>();
        reads.query("SELECT schema_id, row_count FROM records.samples WHERE project_id = :project")
                .bind("project", project.value())
                .map(row -> rows.put(row.getShort("schema_id"), row.getDouble("row_count")) == null)
                .list();
        return rows;
    }

    /** Indexes of projects that want no asking that nobody has used since {@code before}. */
    int dropUnused(Tx tx, Instant before, Instant now) {
        return tx.update("""
                UPDATE records.hot_indexes AS h SET state = 'DROPPING', dropping_at = :now
                FROM records.projects AS p
                WHERE p.id = h.project_id AND p.auto_index AND h.state = 'READY'
                  AND GREATEST(h.ready_at, h.used_at) < :before
                """).bind("before", before).bind("now", now).execute();
    }
}
