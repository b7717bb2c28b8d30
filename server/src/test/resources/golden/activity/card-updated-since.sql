WITH cards AS MATERIALIZED (
    SELECT user_id, slot, term, is_read, payload, updated_at, created_at
    FROM unnest(:readers, CAST(:since AS timestamptz[])) AS reader (id, since)
    CROSS JOIN LATERAL (
        SELECT user_id, slot, term, is_read, payload, updated_at, created_at
        FROM ((SELECT n.user_id, n.slot, n.term, n.is_read, n.payload, n.updated_at, n.created_at
 FROM activity.notifications n
 WHERE n.user_id = reader.id AND n.is_read = false AND n.updated_at > reader.since
 ORDER BY n.updated_at
 FETCH FIRST 50 ROWS WITH TIES)
 UNION ALL (SELECT n.user_id, n.slot, n.term, n.is_read, n.payload, n.updated_at, n.created_at
 FROM activity.notifications n
 WHERE n.user_id = reader.id AND n.is_read = true AND n.updated_at > reader.since
 ORDER BY n.updated_at
 FETCH FIRST 50 ROWS WITH TIES)
) AS both_kinds
        ORDER BY updated_at
        FETCH FIRST 50 ROWS WITH TIES) AS updates)
SELECT c.user_id, c.slot, c.term, c.is_read, c.updated_at, c.created_at, c.payload,
       p.id AS post_id, p.owned_by = c.user_id AS mine, p.snippet, newest.snippet AS reply
FROM cards c
LEFT JOIN LATERAL (
    SELECT o.id, o.owned_by, o.snippet FROM social.post_card o
    WHERE o.id = ('x' || nullif(split_part(c.slot, ':', 2), ''))::bit(64)::bigint
      AND (SELECT true FROM social.separated s WHERE s.one = c.user_id AND s.other = o.owned_by LIMIT 1) IS NULL
    OFFSET 0) p ON true
LEFT JOIN LATERAL (
    SELECT o.snippet FROM social.post_card o
    WHERE c.slot LIKE 'reply:%'
      AND o.id = ('x' || (c.payload->'records'->0->>'postId'))::bit(64)::bigint
      AND (SELECT true FROM social.separated s WHERE s.one = c.user_id AND s.other = o.owned_by LIMIT 1) IS NULL
    OFFSET 0) newest ON true
ORDER BY c.updated_at, c.slot, c.term
