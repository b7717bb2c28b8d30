SELECT id, since, nickname, avatar, kind FROM (
SELECT m.person_id AS id, m.created_at AS since, u.nickname, u.avatar, u.kind
FROM activity.muted_people m
CROSS JOIN LATERAL (
    SELECT a.nickname, a.avatar, a.kind FROM accounts.user_card a WHERE a.id = m.person_id OFFSET 0) u
WHERE m.user_id = :user AND (m.created_at, m.person_id) < (:time, :after)
ORDER BY m.created_at DESC, m.person_id DESC
LIMIT 101) AS scan LIMIT :limit
