WITH found AS MATERIALIZED (SELECT source_id, chunk_id, score
FROM (SELECT t.source_id, t.id AS chunk_id,
             (CASE WHEN t.words @@ w.query0 THEN :weight0 ELSE 0 END + CASE WHEN t.words @@ w.query1 THEN :weight1 ELSE 0 END + 30 * ts_rank(t.words, w.any_word)) / (7 + ln(1 + length(t.words))) AS score
      FROM (SELECT CAST(:any AS tsquery) AS any_word, CAST(:query0 AS tsquery) AS query0, CAST(:query1 AS tsquery) AS query1 OFFSET 0) AS w, knowledge.knowledge_chunks t
      WHERE t.words @@ CAST(:candidates AS tsquery) AND (t.is_public OR t.owned_by = :caller)
AND NOT (t.source_type = 'post' AND EXISTS (
    SELECT FROM social.separated x WHERE x.one = :caller AND x.other = t.owned_by)) AND t.source_type = CAST(:type AS knowledge.source_type_enum) AND t.channel_id = :channel
      LIMIT 5000) AS ranked
ORDER BY score DESC, chunk_id DESC
LIMIT 10
)
SELECT f.chunk_id, f.source_id, s.title, s.type, f.score / (1 + f.score) AS score, c.content,
       c.location ->> 'url' AS url, c.location ->> 'label' AS label
FROM found f
JOIN knowledge.knowledge_chunks c ON c.source_id = f.source_id AND c.id = f.chunk_id
JOIN knowledge.knowledge_sources s ON s.id = f.source_id
ORDER BY f.score DESC, f.chunk_id DESC
LIMIT 10
