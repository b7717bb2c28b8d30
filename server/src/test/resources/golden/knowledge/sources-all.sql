SELECT s.id, s.owned_by, s.is_public, s.type, s.title, s.uri, s.origin, s.chunk_count, s.metadata, s.updated_at,
p.status, p.waiting, p.dead, p.error_code, p.error_message,
s.collection_id, l.name AS collection_name, l.visibility AS collection_visibility,
knowledge.collection_role(s.collection_id, :caller, :records) AS collection_role
FROM (
    SELECT f.id
    FROM (
        (SELECT id FROM knowledge.knowledge_sources
         WHERE owned_by = :caller AND id < :before 
         ORDER BY id DESC LIMIT :limit)
        UNION ALL
(SELECT id FROM knowledge.knowledge_sources s
 WHERE is_public AND owned_by <> :caller AND id < :before AND NOT (s.type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = s.owned_by)) 
 ORDER BY id DESC LIMIT :limit)
UNION ALL
(SELECT o.id
 FROM unnest(knowledge.readable_collections(:caller, :records)) AS r (id)
 CROSS JOIN LATERAL (
    SELECT id FROM knowledge.knowledge_sources
    WHERE collection_id = r.id AND owned_by IS DISTINCT FROM :caller AND id < :before 
    ORDER BY id DESC LIMIT :limit) AS o)
    ) AS f
    ORDER BY f.id DESC
    LIMIT :limit
) AS found
JOIN knowledge.knowledge_sources s ON s.id = found.id
CROSS JOIN LATERAL knowledge.progress(
    s.id, s.chunk_count, (SELECT a.id FROM knowledge.spaces a WHERE a.state = 'active')) AS p
LEFT JOIN knowledge.collections l ON l.id = s.collection_id
ORDER BY s.id DESC
