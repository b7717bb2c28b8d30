WITH nearest AS MATERIALIZED (SELECT t.source_id, t.chunk_id, t.embedding <=> (SELECT CAST(CAST(:vector AS real[]) AS halfvec)) AS distance
FROM knowledge.embeddings_1 t
WHERE (t.is_public OR t.owned_by = :caller
    OR t.collection_id = ANY ((SELECT knowledge.readable_collections(:caller, :records))::bigint[])
    OR t.owned_by = 0 AND t.source_type = 'resource' AND :resources AND EXISTS (
        SELECT FROM knowledge.resource_sources m
        JOIN inbox.resource_reader r ON r.resource_id = m.resource_id
        WHERE m.source_id = t.source_id AND r.user_id = :caller))
AND NOT (t.source_type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))
ORDER BY distance
LIMIT 50
),
keyword AS MATERIALIZED (SELECT source_id, chunk_id, score
FROM (SELECT t.source_id, t.id AS chunk_id, (:weight0 * CASE WHEN t.words @@ w.query0 THEN ts_rank('{0.7, 0.7, 1, 1}', t.words, w.query0) ELSE 0 END + :weight1 * ts_rank('{0.7, 0.7, 1, 1}', t.words, w.query1)) / (7 + ln(1 + length(t.words))) AS score
      FROM (SELECT CAST(:query0 AS tsquery) AS query0, CAST(:query1 AS tsquery) AS query1 OFFSET 0) AS w, knowledge.knowledge_chunks t
      WHERE t.words @@ CAST(:candidates AS tsquery) AND (t.is_public OR t.owned_by = :caller
    OR t.collection_id = ANY ((SELECT knowledge.readable_collections(:caller, :records))::bigint[])
    OR t.owned_by = 0 AND t.source_type = 'resource' AND :resources AND EXISTS (
        SELECT FROM knowledge.resource_sources m
        JOIN inbox.resource_reader r ON r.resource_id = m.resource_id
        WHERE m.source_id = t.source_id AND r.user_id = :caller))
AND NOT (t.source_type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))
      LIMIT 500) AS ranked
ORDER BY score DESC, chunk_id DESC
LIMIT 50
),
both_ways AS (
    SELECT source_id, chunk_id, distance, true AS is_near FROM nearest
    UNION ALL
    SELECT k.source_id, k.chunk_id, e.embedding <=> (SELECT CAST(CAST(:vector AS real[]) AS halfvec)), false
    FROM keyword k
    LEFT JOIN knowledge.embeddings_1 e ON e.source_id = k.source_id AND e.chunk_id = k.chunk_id
    WHERE NOT EXISTS (
        SELECT FROM nearest n WHERE n.source_id = k.source_id AND n.chunk_id = k.chunk_id))
SELECT f.chunk_id, f.source_id, f.distance, f.is_near, ARRAY[CASE WHEN t.words @@ w.query0 THEN ts_rank('{0.7, 0.7, 1, 1}', t.words, w.query0) ELSE 0 END, ts_rank('{0.7, 0.7, 1, 1}', t.words, w.query1)] AS ranks, left(t.content, 80) AS opening
FROM (SELECT CAST(:query0 AS tsquery) AS query0, CAST(:query1 AS tsquery) AS query1 OFFSET 0) AS w, both_ways f
JOIN knowledge.knowledge_chunks t ON t.source_id = f.source_id AND t.id = f.chunk_id
