-- Chunks are embedded in turns of their owners, so that a large upload leaves the others their share. A server of before writes no
-- owner: what it queues waits in the turn of 0, as what is nobody's does.
ALTER TABLE knowledge.embedding_queue ADD COLUMN owned_by BIGINT NOT NULL DEFAULT 0;
COMMENT ON COLUMN knowledge.embedding_queue.owned_by IS 'Whose turn it is embedded in, as the chunk was queued';
UPDATE knowledge.embedding_queue q
SET owned_by = c.owned_by
FROM knowledge.knowledge_chunks c
WHERE c.source_id = q.source_id AND c.id = q.chunk_id;
CREATE INDEX idx_queue_turn ON knowledge.embedding_queue (space_id, owned_by, due_at, chunk_id);

-- As before, with the owner.
CREATE OR REPLACE FUNCTION knowledge.on_chunks_added() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge.embedding_queue (space_id, source_id, chunk_id, owned_by)
    SELECT s.id, a.source_id, a.id, a.owned_by
    FROM knowledge.spaces s
    CROSS JOIN added a
    WHERE s.state <> 'retired'
    ORDER BY s.id, a.id;
    RETURN NULL;
END
$$;
