WITH hits AS MATERIALIZED (SELECT * FROM (
SELECT page.*, w.floor, w.read_at
FROM social.timeline_windows w
CROSS JOIN LATERAL (SELECT * FROM (
SELECT root.*, hit.id AS sort_key
FROM (
    (SELECT t.post_id AS id, t.owned_by
     FROM social.timelines t
     WHERE t.user_id = :viewer AND t.post_id < :after AND t.post_id >= w.floor AND t.owned_by <> ALL (w.pulled)
     ORDER BY t.post_id DESC)
    UNION ALL
    (SELECT own.id, own.owned_by
     FROM unnest(w.pulled) AS author (id)
     CROSS JOIN LATERAL (SELECT newest.id, newest.owned_by
 FROM (SELECT p.id, p.owned_by FROM social.posts p
       WHERE p.owned_by = author.id AND p.reply_to IS NULL AND p.id < :after AND p.id >= w.floor
       ORDER BY p.id DESC LIMIT 101) AS newest LIMIT :limit) own
     ORDER BY own.id DESC)) hit
CROSS JOIN LATERAL (SELECT p.id, p.snippet, p.owned_by, p.reply_to, p.allow_likes, p.allow_replies, p.lang, p.updated_at FROM social.posts p WHERE p.id = hit.id AND p.reply_to IS NULL OFFSET 0) root
WHERE CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = hit.owned_by), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = hit.owned_by), true) END
ORDER BY hit.id DESC
LIMIT 101) AS page LIMIT :limit) page
WHERE w.user_id = :viewer
LIMIT 101) AS page LIMIT :limit)
SELECT h.sort_key, h.floor, h.read_at, card.*
FROM hits h
CROSS JOIN LATERAL (
    SELECT p.id, p.snippet, p.owned_by, u.nickname, u.avatar, u.kind,
           p.reply_to, CAST(NULL AS varchar) AS parent_nickname,
           p.allow_likes, p.allow_replies, p.lang, p.updated_at,
           ARRAY(SELECT t.name FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name) AS tags,
           coalesce(c.count_likes, 0) + coalesce(d.likes, 0) AS count_likes,
           coalesce(c.count_replies, 0) + coalesce(d.replies, 0) AS count_replies,
           (SELECT true FROM social.post_likes l
            WHERE l.post_id = p.id AND l.liked_by = :viewer) IS NOT NULL AS liked_by_me,
           (SELECT true FROM social.posts r
            WHERE r.owned_by = :viewer AND r.reply_to = p.id LIMIT 1) IS NOT NULL AS replied_by_me
    FROM (SELECT h.*) p
    JOIN accounts.user_card u ON u.id = p.owned_by
    LEFT JOIN social.post_counts c ON c.post_id = p.id
    CROSS JOIN LATERAL (SELECT sum(s.likes) AS likes, sum(s.replies) AS replies
                        FROM social.post_count_changes s WHERE s.post_id = p.id) d
    
    OFFSET 0) card
ORDER BY h.sort_key DESC, h.id DESC
