WITH nearest AS MATERIALIZED (SELECT t.source_id, t.chunk_id, t.embedding <=> CAST(CAST(:vector AS real[]) AS halfvec) AS distance
FROM knowledge.embeddings_1 t
WHERE (t.is_public OR t.owned_by = :caller)
AND NOT (t.source_type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))
ORDER BY (t.embedding <=> CAST(CAST(:vector AS real[]) AS halfvec))
LIMIT 50
),
keyword AS MATERIALIZED (SELECT source_id, chunk_id, score
FROM (SELECT t.source_id, t.id AS chunk_id,
             (CASE WHEN t.words @@ w.query0 THEN :weight0 ELSE 0 END + CASE WHEN t.words @@ w.query1 THEN :weight1 ELSE 0 END + 30 * ts_rank(t.words, w.any_word)) / (7 + ln(1 + length(t.words))) AS score
      FROM (SELECT CAST(:any AS tsquery) AS any_word, CAST(:query0 AS tsquery) AS query0, CAST(:query1 AS tsquery) AS query1 OFFSET 0) AS w, knowledge.knowledge_chunks t
      WHERE t.words @@ CAST(:candidates AS tsquery) AND (t.is_public OR t.owned_by = :caller)
AND NOT (t.source_type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by))
      LIMIT 5000) AS ranked
ORDER BY score DESC, chunk_id DESC
LIMIT 50
),
found AS (
    SELECT source_id, chunk_id, sum(worth) AS score
    FROM (SELECT source_id, chunk_id, :vectorWeight / (:offset + row_number() OVER (ORDER BY distance)) AS worth
          FROM nearest WHERE 1 - distance >= :threshold
          UNION ALL
          SELECT source_id, chunk_id,
                 :keywordWeight / (:offset + row_number() OVER (ORDER BY score DESC, chunk_id DESC))
          FROM keyword) AS ranks
    GROUP BY source_id, chunk_id
    ORDER BY score DESC, chunk_id DESC
    LIMIT 10)

SELECT f.chunk_id, f.source_id, s.title, s.type, f.score * (:offset + 1) / (:vectorWeight + :keywordWeight) AS score, c.content,
       c.location ->> 'url' AS url, c.location ->> 'label' AS label, (SELECT count(*) FROM nearest) AS near_count, (SELECT count(*) FROM keyword) AS word_count
FROM found f
JOIN knowledge.knowledge_chunks c ON c.source_id = f.source_id AND c.id = f.chunk_id
JOIN knowledge.knowledge_sources s ON s.id = f.source_id
ORDER BY f.score DESC, f.chunk_id DESC
LIMIT 10
