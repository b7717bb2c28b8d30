SELECT tier, id, nickname, avatar, kind, tier = 1 AS followed_by_me,
       (SELECT true FROM social.user_follows f
        WHERE f.follower_id = friends.id AND f.followee_id = :viewer) IS NOT NULL AS follows_me
FROM ((SELECT 0 AS tier, u.id, u.nickname, u.avatar, u.kind FROM accounts.user_card u
       WHERE u.id = :viewer AND u.nickname COLLATE platform.base_letters >= :prefix AND u.nickname COLLATE platform.base_letters < (:prefix || :last) AND :first)
      UNION ALL
      (SELECT 1, u.id, u.nickname, u.avatar, u.kind FROM social.user_follows g JOIN accounts.user_card u ON u.id = g.followee_id
       WHERE g.follower_id = :viewer AND NOT ((SELECT count(*) FROM (SELECT FROM accounts.user_card u WHERE u.nickname COLLATE platform.base_letters >= :prefix AND u.nickname COLLATE platform.base_letters < (:prefix || :last) LIMIT :few) AS matching) < :few) AND :tier <= 1 AND u.nickname COLLATE platform.base_letters >= :prefix AND u.nickname COLLATE platform.base_letters < (:prefix || :last) AND (u.nickname COLLATE platform.base_letters, u.nickname COLLATE platform.names, u.id) > (GREATEST(CAST(:prefix AS text) COLLATE platform.base_letters, CAST(:after1 AS text)),
      CASE WHEN CAST(:after1 AS text) COLLATE platform.base_letters >= :prefix
           THEN CAST(:after1 AS text) ELSE '' END,
      :afterId1) AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = u.id), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = u.id), true) END
       ORDER BY u.nickname COLLATE platform.base_letters, u.nickname COLLATE platform.names, u.id LIMIT :limit)
      UNION ALL
      (SELECT 1, u.id, u.nickname, u.avatar, u.kind FROM accounts.user_card u
       WHERE (SELECT count(*) FROM (SELECT FROM accounts.user_card u WHERE u.nickname COLLATE platform.base_letters >= :prefix AND u.nickname COLLATE platform.base_letters < (:prefix || :last) LIMIT :few) AS matching) < :few AND :tier <= 1 AND u.nickname COLLATE platform.base_letters >= :prefix AND u.nickname COLLATE platform.base_letters < (:prefix || :last) AND (u.nickname COLLATE platform.base_letters, u.nickname COLLATE platform.names, u.id) > (GREATEST(CAST(:prefix AS text) COLLATE platform.base_letters, CAST(:after1 AS text)),
      CASE WHEN CAST(:after1 AS text) COLLATE platform.base_letters >= :prefix
           THEN CAST(:after1 AS text) ELSE '' END,
      :afterId1) AND coalesce((SELECT true FROM social.user_follows f WHERE f.follower_id = :viewer AND f.followee_id = u.id), false) AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = u.id), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = u.id), true) END
       ORDER BY u.nickname COLLATE platform.base_letters, u.nickname COLLATE platform.names, u.id LIMIT :limit)
      UNION ALL
      (SELECT 2, u.id, u.nickname, u.avatar, u.kind FROM accounts.user_card u
       WHERE u.nickname COLLATE platform.base_letters >= :prefix AND u.nickname COLLATE platform.base_letters < (:prefix || :last) AND (u.nickname COLLATE platform.base_letters, u.nickname COLLATE platform.names, u.id) > (GREATEST(CAST(:prefix AS text) COLLATE platform.base_letters, CAST(:after2 AS text)),
      CASE WHEN CAST(:after2 AS text) COLLATE platform.base_letters >= :prefix
           THEN CAST(:after2 AS text) ELSE '' END,
      :afterId2) AND u.id <> :viewer AND NOT coalesce((SELECT true FROM social.user_follows f WHERE f.follower_id = :viewer AND f.followee_id = u.id), false) AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = u.id), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = u.id), true) END
       ORDER BY u.nickname COLLATE platform.base_letters, u.nickname COLLATE platform.names, u.id LIMIT :limit)) AS friends
ORDER BY tier, nickname COLLATE platform.base_letters, nickname COLLATE platform.names, id
LIMIT :limit
