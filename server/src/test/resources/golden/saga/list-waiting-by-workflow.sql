SELECT s.id, s.workflow_name, s.workflow_version, s.current_step, s.status, s.correlation_id,
       s.initiated_by, s.error_message, s.stuck, s.owner IS NOT NULL AS running, s.wake_at, s.created_at,
       s.updated_at, s.waiting_for, s.priority
FROM (
    SELECT id
    FROM saga.saga_states
    WHERE (workflow_name, id) < (:workflow, :after) AND (workflow_name, id) >= (:workflow, '00000000-0000-0000-0000-000000000000') AND waiting_for IS NOT NULL
    ORDER BY workflow_name DESC, id DESC
    LIMIT :limit
) AS page
JOIN saga.saga_states AS s ON s.id = page.id
ORDER BY page.id DESC
