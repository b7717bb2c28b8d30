SELECT g.role, g.version, g.data, a.found
FROM (SELECT (SELECT role FROM records.members WHERE project_id = :v1 AND user_id = :v2) AS role, (SELECT version FROM records."schemas_@" WHERE schema_id = 100) AS version, (SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time())) AS data) AS g
LEFT JOIN LATERAL (
    SELECT jsonb_build_array(c.c1) AS found
    FROM (
        SELECT count(*) AS c1
        FROM records."eav_@" AS e
        WHERE e.schema_id = 100 AND e.attr_id = 5 AND e.value_text IS NOT NULL AND e.value_text = :v0
        LIMIT 11) AS c) AS a ON true
