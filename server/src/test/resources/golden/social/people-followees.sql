WITH hits AS MATERIALIZED (SELECT * FROM (
SELECT f.followee_id AS id, f.created_at FROM social.user_follows f
WHERE f.follower_id = :of AND (f.created_at, f.followee_id) < (:time, :after)
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = :of), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = :of), true) END AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = f.followee_id), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = f.followee_id), true) END
ORDER BY f.created_at DESC, f.followee_id DESC
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
