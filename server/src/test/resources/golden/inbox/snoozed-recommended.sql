SELECT n.id, n.recommended_at, 0 AS place, TRUE AS matched, n.id AS item, n.action, n.state, n.read, n.saved, n.snoozed_until, n.snoozed_event,
n.resolved_by_action, n.created_at, n.updated_at, about.*
FROM (SELECT id, action, state, read, saved, snoozed_until, snoozed_event, resolved_by_action, created_at, updated_at,
resource_id, namespace_id, author_id, author_person_id, recommended_at

FROM inbox.notifications_7
WHERE user_id = :user AND state = 1 AND (recommended_at, id) > (:at, :id)
ORDER BY recommended_at, id
LIMIT 21) AS n
CROSS JOIN LATERAL (
    SELECT r.id AS resource_id, r.type, r.title, r.url, r.state AS resource_state, r.work_item_type,
CASE WHEN n.action = 5 AND r.type = 7 AND r.connection_id = 1 THEN r.external_id END AS approval,
s.id AS namespace_id, s.path,
u.id AS author_id,
coalesce(u.nickname, p.name, p.username, CASE WHEN p.id IS NOT NULL THEN 'Somebody' END) AS author_name,
p.username AS author_username, coalesce(u.avatar, p.avatar_url) AS author_avatar
    FROM inbox.resources r
    JOIN inbox.namespaces s ON s.id = n.namespace_id
LEFT JOIN inbox.people p ON p.id = n.author_person_id
LEFT JOIN accounts.user_card u ON u.id = coalesce(n.author_id, p.user_id)

    WHERE r.id = n.resource_id OFFSET 0) AS about
 ORDER BY recommended_at, id
