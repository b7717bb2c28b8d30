SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
       s.initiated_by, s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at,
       s.updated_at, s.waiting_for, s.priority
FROM (
    SELECT newest.id
    FROM (VALUES ('STARTED'), ('RUNNING'), ('COMPLETED'), ('COMPENSATING'), ('FAILED'), ('CANCELLED'))
        AS statuses (name)
    CROSS JOIN LATERAL (
    SELECT id
    FROM saga.saga_states
    WHERE (correlation_id, status, id) < (:correlation, statuses.name, :after) AND (correlation_id, status, id) >= (:correlation, statuses.name, '00000000-0000-0000-0000-000000000000') AND correlation_id IS NOT NULL
    ORDER BY correlation_id DESC, status DESC, id DESC
    LIMIT :limit
    ) AS newest
    ORDER BY newest.id DESC
    LIMIT :limit
) AS page
JOIN saga.saga_states AS s ON s.id = page.id
ORDER BY page.id DESC
