SELECT g.role, g.version, g.data, a.found
FROM (SELECT (SELECT role FROM records.members WHERE project_id = :v2 AND user_id = :v3) AS role, (SELECT version FROM records."schemas_@" WHERE schema_id = 100) AS version, (SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time())) AS data) AS g
LEFT JOIN LATERAL (
    SELECT jsonb_build_array(c.c1, c.c2, c.c3, c.c4) AS found
    FROM (
        SELECT k1 AS c1, k2 AS c2, count(*) AS c3, sum(v2) AS c4
        FROM (
            SELECT CAST(extract(epoch FROM date_trunc('month', records.moment(CAST((r.doc->>3) AS bigint)), :v1)) * 1000000 AS bigint) AS k1, (r.doc->>1) COLLATE "C" AS k2, CAST((r.doc->>2) AS numeric) AS v2
            FROM records."eav_@" AS e
            CROSS JOIN LATERAL (
                SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc FROM records."records_@" AS r
                WHERE r.schema_id = 100 AND r.row_id = e.row_id AND true
                OFFSET 0) AS r
            WHERE e.schema_id = 100 AND e.attr_id = 5 AND e.value_text IS NOT NULL AND e.value_text = :v0
            OFFSET 0) AS r
        GROUP BY 1, 2
        ORDER BY 1, 2
        LIMIT 11) AS c) AS a ON true
