WITH found AS MATERIALIZED (SELECT t.source_id, t.chunk_id, t.embedding <=> (SELECT CAST(CAST(:vector AS real[]) AS halfvec)) AS distance
FROM knowledge.embeddings_1 t
WHERE (t.is_public OR t.owned_by = :caller
    OR t.collection_id = ANY ((SELECT knowledge.readable_collections(:caller, :records))::bigint[])
    OR t.owned_by = 0 AND t.source_type = 'resource' AND :resources AND EXISTS (
        SELECT FROM knowledge.resource_sources m
        JOIN inbox.resource_reader r ON r.resource_id = m.resource_id
        WHERE m.source_id = t.source_id AND r.user_id = :caller))
AND NOT (t.source_type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by)) AND t.source_type = CAST(:type AS knowledge.source_type_enum) AND t.channel_id = :channel
ORDER BY 0 + (t.embedding <=> (SELECT CAST(CAST(:vector AS real[]) AS halfvec)))
LIMIT 10
)
SELECT f.chunk_id, f.source_id, f.distance, true AS is_near, CAST('{}' AS real[]) AS ranks, left(t.content, 80) AS opening, s.title, s.type, t.content,
       t.location ->> 'url' AS url, t.location ->> 'label' AS label
FROM found f
JOIN knowledge.knowledge_chunks t ON t.source_id = f.source_id AND t.id = f.chunk_id
JOIN knowledge.knowledge_sources s ON s.id = f.source_id
ORDER BY f.distance, f.chunk_id DESC
