SELECT g.role, g.version, g.data, a.found
FROM (SELECT (SELECT role FROM records.members WHERE project_id = :v1 AND user_id = :v2) AS role, (SELECT version FROM records."schemas_@" WHERE schema_id = 100) AS version, (SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time())) AS data) AS g
LEFT JOIN LATERAL (
    SELECT jsonb_build_array(c.c1, c.c2) AS found
    FROM (
        SELECT k1 AS c1, sum(v2) AS c2
        FROM (
            SELECT (r.doc->>1) COLLATE "C" AS k1, CAST((r.doc->>2) AS numeric) AS v2
            FROM records."eav_@" AS e
            CROSS JOIN LATERAL (
                SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc FROM records."records_@" AS r
                WHERE r.schema_id = 100 AND r.row_id = e.row_id AND true
                OFFSET 0) AS r
            WHERE e.schema_id = 100 AND e.attr_id = 5 AND e.value_text IS NOT NULL AND e.value_text = :v0
            OFFSET 0) AS r
        GROUP BY 1
        ORDER BY 2 DESC NULLS LAST
        LIMIT 11) AS c) AS a ON true
