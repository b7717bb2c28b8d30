SELECT g.role, g.version, g.data, a.found
FROM (SELECT (SELECT role FROM records.members WHERE project_id = :v0 AND user_id = :v1) AS role, (SELECT version FROM records."schemas_@" WHERE schema_id = 100) AS version, (SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time())) AS data) AS g
LEFT JOIN LATERAL (
    SELECT jsonb_build_array(c.c1) AS found
    FROM (
        SELECT count(*) AS c1
        FROM records."records_@" AS r
        WHERE r.schema_id = 100 AND true
        LIMIT 11) AS c) AS a ON true
