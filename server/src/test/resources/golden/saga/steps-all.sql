SELECT page.saga_id, s.workflow_name, page.step_index, page.step_name, page.action, page.attempt,
       page.status, page.error_message, page.started_at, page.completed_at, page.retry_at
FROM (
    SELECT l.saga_id, l.step_index, l.step_name, l.action, l.attempt, l.status, l.error_message,
           l.started_at, l.completed_at, l.retry_at
    FROM saga.saga_step_logs AS l
    WHERE l.started_at >= :from AND l.started_at < :to
    ORDER BY l.started_at DESC, l.saga_id DESC, l.step_index DESC, l.action DESC, l.attempt DESC
    LIMIT :limit) AS page
JOIN saga.saga_states AS s ON s.id = page.saga_id
ORDER BY page.started_at DESC, page.saga_id DESC, page.step_index DESC, page.action DESC, page.attempt DESC
