SELECT (SELECT role FROM records.members WHERE project_id = :v2 AND user_id = :v3), (SELECT version FROM records."schemas_@" WHERE schema_id = 100),
       (SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time())),
       NULL, NULL, NULL, NULL, NULL, NULL
UNION ALL
SELECT NULL, NULL, NULL,
       w.row_id, w.version, w.created_by, w.updated_by, w.updated_at, w.doc
FROM (
SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc
FROM records."eav_@" AS e
CROSS JOIN LATERAL (
    SELECT r.row_id, r.version, r.created_by, r.updated_by, r.updated_at, r.doc FROM records."records_@" AS r
    WHERE r.schema_id = 100 AND r.row_id = e.row_id AND true
    OFFSET 0) AS r
WHERE e.schema_id = 100 AND e.attr_id = 0 AND e.value_text IS NOT NULL AND e.value_text >= :v0 AND e.value_text < :v1
ORDER BY e.value_text, e.row_id
LIMIT 21) AS w
