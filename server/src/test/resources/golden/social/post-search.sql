WITH query AS (
    SELECT CASE WHEN :byAnyone THEN CAST(:matching AS tsquery)
                ELSE CAST(:matching AS tsquery) && a.anyone END AS matching,
           CASE WHEN :byAnyone THEN CAST(:keys AS tsquery)
                ELSE CAST(:keys AS tsquery) && a.anyone END AS keys
    FROM (SELECT CAST(string_agg('''@' || social.hex(t.id) || '''', ' | ') AS tsquery) AS anyone
          FROM (SELECT i.id FROM unnest(:authors) AS i (id)
                UNION
                SELECT u.id FROM unnest(:nicknames) AS n (name)
                CROSS JOIN LATERAL (SELECT c.id FROM accounts.user_card c
                                    WHERE LOWER(c.nickname) = LOWER(n.name)
                                    LIMIT :namesakes) AS u) AS t) AS a),
found AS MATERIALIZED (
    SELECT w.post_id, w.score, w.reached
    FROM query
    CROSS JOIN LATERAL social.search_window(
        query.matching, query.keys, CAST(:ranking AS tsquery), :viewer,
        :below, :downTo, :window, :maxScanned, :halfLife) AS w)
SELECT bounds.newest, bounds.reached,
       cards.sort_key, cards.id, cards.snippet, cards.owned_by, cards.nickname, cards.avatar, cards.kind,
       cards.reply_to, cards.parent_nickname, cards.allow_likes, cards.allow_replies, cards.lang,
       cards.updated_at, cards.tags, cards.count_likes, cards.count_replies, cards.liked_by_me, cards.replied_by_me,
       cards.content
FROM (SELECT max(post_id) AS newest, max(reached) AS reached FROM found) AS bounds
LEFT JOIN (
WITH hits AS MATERIALIZED (SELECT * FROM (
SELECT f.post_id AS id, f.score AS sort_key
FROM found f
WHERE (f.score, f.post_id) < (:score, :after)
ORDER BY f.score DESC, f.post_id DESC
LIMIT 101) AS page LIMIT :limit)
SELECT h.sort_key, card.*
FROM hits h
CROSS JOIN LATERAL (
    SELECT p.id, p.snippet, p.owned_by, u.nickname, u.avatar, u.kind,
           p.reply_to, (SELECT o.nickname FROM social.posts q JOIN accounts.user_card o ON o.id = q.owned_by
 WHERE q.id = p.reply_to AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocker_id = :viewer ORDER BY b.blocked_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocker_id = :viewer AND b.blocked_id = q.owned_by), true) END
  AND CASE WHEN (SELECT true FROM social.user_blocks b WHERE b.blocked_id = :viewer ORDER BY b.blocker_id LIMIT 1) IS NULL
  THEN true ELSE coalesce((SELECT false FROM social.user_blocks b WHERE b.blocked_id = :viewer AND b.blocker_id = q.owned_by), true) END) AS parent_nickname,
           p.allow_likes, p.allow_replies, p.lang, p.updated_at,
           ARRAY(SELECT t.name FROM social.post_tags t WHERE t.post_id = p.id ORDER BY t.name) AS tags,
           coalesce(c.count_likes, 0) + coalesce(d.likes, 0) AS count_likes,
           coalesce(c.count_replies, 0) + coalesce(d.replies, 0) AS count_replies,
           (SELECT true FROM social.post_likes l
            WHERE l.post_id = p.id AND l.liked_by = :viewer) IS NOT NULL AS liked_by_me,
           (SELECT true FROM social.posts r
            WHERE r.owned_by = :viewer AND r.reply_to = p.id LIMIT 1) IS NOT NULL AS replied_by_me
, (SELECT content FROM social.post_details WHERE post_id = p.id) AS content
    FROM social.posts p
    JOIN accounts.user_card u ON u.id = p.owned_by
    LEFT JOIN social.post_counts c ON c.post_id = p.id
    CROSS JOIN LATERAL (SELECT sum(s.likes) AS likes, sum(s.replies) AS replies
                        FROM social.post_count_changes s WHERE s.post_id = p.id) d
    WHERE p.id = h.id
    OFFSET 0) card
ORDER BY h.sort_key DESC, h.id DESC) AS cards ON true
ORDER BY cards.sort_key DESC, cards.id DESC
