SELECT d.id, d.source_id
FROM knowledge.knowledge_chunks_dlq d
WHERE d.id < :before AND d.owned_by = :owner  AND d.dismissed_at IS NULL
  AND EXISTS (SELECT 1 FROM knowledge.knowledge_chunks c
              WHERE c.source_id = d.source_id AND c.id = d.original_chunk_id)
ORDER BY d.id DESC
LIMIT :limit
