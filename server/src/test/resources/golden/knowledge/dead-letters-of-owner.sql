SELECT d.id, d.source_id, d.source_title, d.original_chunk_id, d.owned_by, d.content,
       s.provider, s.model, s.dimensions,
       d.error_code, d.error_message, d.retry_count, d.created_at, d.last_retry_at
FROM knowledge.knowledge_chunks_dlq d
JOIN knowledge.spaces s ON s.id = d.space_id
WHERE d.dismissed_at IS NULL AND d.id < :before AND d.owned_by = :owner 
ORDER BY d.id DESC
LIMIT :limit
