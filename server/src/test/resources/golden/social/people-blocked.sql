WITH hits AS MATERIALIZED (SELECT * FROM (
SELECT b.blocked_id AS id, b.created_at FROM social.user_blocks b
WHERE b.blocker_id = :of AND (b.created_at, b.blocked_id) < (:time, :after)
ORDER BY b.created_at DESC, b.blocked_id DESC
LIMIT 101) AS page LIMIT :limit)
SELECT h.id, (extract(epoch FROM h.created_at) * 1000000)::bigint AS sort_key,
       u.nickname, u.avatar, u.kind,
       (SELECT true FROM social.user_follows
        WHERE follower_id = :viewer AND followee_id = h.id) IS NOT NULL AS followed_by_me,
       (SELECT true FROM social.user_follows
        WHERE follower_id = h.id AND followee_id = :viewer) IS NOT NULL AS follows_me
FROM hits h
CROSS JOIN LATERAL (SELECT c.nickname, c.avatar, c.kind
                    FROM accounts.user_card c WHERE c.id = h.id OFFSET 0) u
ORDER BY h.created_at DESC, h.id DESC
