SELECT id, since, snippet, owned_by, nickname, avatar, kind FROM (
SELECT m.post_id AS id, m.changed_at AS since, p.snippet, p.owned_by, u.nickname, u.avatar, u.kind
FROM activity.followed_posts m
CROSS JOIN LATERAL (
    SELECT o.snippet, o.owned_by FROM social.post_card o
    WHERE o.id = m.post_id
      AND (SELECT true FROM social.separated s WHERE s.one = :user AND s.other = o.owned_by LIMIT 1) IS NULL
    OFFSET 0) p
CROSS JOIN LATERAL (
    SELECT a.nickname, a.avatar, a.kind FROM accounts.user_card a WHERE a.id = p.owned_by OFFSET 0) u
WHERE m.user_id = :user AND m.active AND (m.changed_at, m.post_id) < (:time, :after)
ORDER BY m.changed_at DESC, m.post_id DESC
LIMIT 101) AS scan LIMIT :limit
