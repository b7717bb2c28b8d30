WITH page AS MATERIALIZED (SELECT id, recommended_at, place, matched
FROM (SELECT id, recommended_at, row_number() OVER () AS place, (action = ANY (:actions) AND namespace_id IN (SELECT unnest(:namespaces))) IS TRUE AS matched
      FROM (SELECT id, recommended_at, action, resource_type, namespace_id, author_id, author_person_id
FROM inbox.notifications_7
WHERE user_id = :user AND state = 0 AND (recommended_at, id) < (:at, :id)
ORDER BY recommended_at DESC, id DESC
LIMIT 20000) AS scanned) AS entries
WHERE matched OR place = 20000
LIMIT 21
)
SELECT page.id, page.recommended_at, page.place, page.matched, card.item, card.action, card.state, card.read, card.saved, card.snoozed_until, card.snoozed_event,
card.resolved_by_action, card.created_at, card.updated_at,
card.resource_id, card.type, card.title, card.url, card.resource_state, card.work_item_type,
card.approval, card.namespace_id, card.path, card.author_id, card.author_name, card.author_username, card.author_avatar

FROM page
LEFT JOIN LATERAL (SELECT n.id AS item, n.action, n.state, n.read, n.saved, n.snoozed_until, n.snoozed_event,
n.resolved_by_action, n.created_at, n.updated_at, r.id AS resource_id, r.type, r.title, r.url, r.state AS resource_state, r.work_item_type,
CASE WHEN n.action = 5 AND r.type = 7 AND r.connection_id = 1 THEN r.external_id END AS approval,
s.id AS namespace_id, s.path,
u.id AS author_id,
coalesce(u.nickname, p.name, p.username, CASE WHEN p.id IS NOT NULL THEN 'Somebody' END) AS author_name,
p.username AS author_username, coalesce(u.avatar, p.avatar_url) AS author_avatar
FROM inbox.notifications_7 n
JOIN inbox.resources r ON r.id = n.resource_id
JOIN inbox.namespaces s ON s.id = n.namespace_id
LEFT JOIN inbox.people p ON p.id = n.author_person_id
LEFT JOIN accounts.user_card u ON u.id = coalesce(n.author_id, p.user_id)

WHERE n.user_id = :user AND n.id = page.id
 OFFSET 0) AS card ON page.matched
ORDER BY page.place
