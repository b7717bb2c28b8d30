SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
       s.initiated_by, s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at,
       s.updated_at, s.waiting_for, s.priority
FROM (
    SELECT id FROM saga.saga_states WHERE id < :after ORDER BY id DESC LIMIT :limit
) AS page
JOIN saga.saga_states AS s ON s.id = page.id
ORDER BY page.id DESC
