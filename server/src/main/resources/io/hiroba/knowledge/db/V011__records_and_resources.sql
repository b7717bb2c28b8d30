-- Records of chosen schemas, and resources of the inbox, as sources (docs/adr/0131-records-and-resources-in-knowledge.md).
ALTER TYPE knowledge.source_type_enum ADD VALUE 'record';
ALTER TYPE knowledge.source_type_enum ADD VALUE 'resource';

-- Such sources are nobody's: who may read them follows from where they come from alone. Their chunks and vectors have 0 as their owner.
ALTER TABLE knowledge.knowledge_sources
    ALTER COLUMN owned_by DROP NOT NULL,
    ADD CONSTRAINT sources_public_by_their_owner CHECK (owned_by IS NOT NULL OR NOT is_public);
ALTER TABLE knowledge.knowledge_chunks_dlq ALTER COLUMN owned_by DROP NOT NULL;
ALTER TABLE knowledge.collections ALTER COLUMN owned_by DROP NOT NULL;
CREATE UNIQUE INDEX idx_sources_mirrored ON knowledge.knowledge_sources (collection_id, origin)
    WHERE owned_by IS NULL AND collection_id IS NOT NULL;

-- A schema whose records are sources, by the id of the choice in the records feature. Its collection is nobody's, and has no members:
-- who may read it is asked of records.readable_texts.
CREATE TABLE knowledge.record_texts (
    id            BIGINT PRIMARY KEY,
    collection_id BIGINT NOT NULL UNIQUE REFERENCES knowledge.collections (id) ON DELETE CASCADE,
    walk_after    UUID DEFAULT '00000000-0000-0000-0000-000000000000',
    ended         BOOLEAN NOT NULL DEFAULT false
);
COMMENT ON COLUMN knowledge.record_texts.walk_after IS
    'Records with ids after this are still to be looked at; null when all were';
COMMENT ON COLUMN knowledge.record_texts.ended IS 'No longer chosen: the row stays until its sources are deleted';
CREATE INDEX idx_record_texts_todo ON knowledge.record_texts (id) WHERE walk_after IS NOT NULL OR ended;

-- Records that changed since their source was written. Whoever works on them holds the lock of their record_texts.
CREATE TABLE knowledge.changed_records (
    texts_id BIGINT NOT NULL REFERENCES knowledge.record_texts (id) ON DELETE CASCADE,
    row_id   UUID NOT NULL,
    PRIMARY KEY (texts_id, row_id)
);

-- As before; in a collection of records, members of the project read what its rules let them, if the caller may see records at all.
DROP FUNCTION knowledge.collection_role(BIGINT, BIGINT);
CREATE FUNCTION knowledge.collection_role(collection BIGINT, reader BIGINT, with_records BOOLEAN DEFAULT true) RETURNS TEXT
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN t.id IS NOT NULL
                    THEN CASE WHEN with_records AND NOT t.ended AND t.id = ANY (records.readable_texts(reader)) THEN 'reader' END
                WHEN c.owned_by = reader THEN 'manager'
                ELSE coalesce((SELECT m.role FROM knowledge.collection_members m
                               WHERE m.collection_id = c.id AND m.user_id = reader),
                              CASE WHEN c.visibility = 'public' THEN 'reader' END) END
    FROM knowledge.collections c
    LEFT JOIN knowledge.record_texts t ON t.collection_id = c.id
    WHERE c.id = collection
$$;

DROP FUNCTION knowledge.readable_collections(BIGINT);
CREATE FUNCTION knowledge.readable_collections(reader BIGINT, with_records BOOLEAN DEFAULT true) RETURNS BIGINT[]
LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(r.id), '{}')
    FROM (SELECT c.id FROM knowledge.collections c WHERE c.owned_by = reader
          UNION
          SELECT c.id FROM knowledge.collections c WHERE c.visibility = 'public'
          UNION
          SELECT m.collection_id FROM knowledge.collection_members m WHERE m.user_id = reader
          UNION
          SELECT t.collection_id FROM knowledge.record_texts t
          WHERE with_records AND NOT t.ended AND t.id = ANY ((SELECT records.readable_texts(reader))::bigint[])) AS r
$$;

-- As before; the title of a record is its text too.
CREATE OR REPLACE FUNCTION knowledge.on_chunks_removed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM knowledge.knowledge_chunks_dlq d
    USING removed r
    WHERE d.source_id = r.source_id AND d.original_chunk_id = r.id
      AND (r.source_type IN ('post', 'record', 'resource') OR d.dismissed_at IS NOT NULL);
    UPDATE knowledge.knowledge_chunks_dlq d
    SET content = ''
    FROM removed r
    WHERE d.source_id = r.source_id AND d.original_chunk_id = r.id;
    RETURN NULL;
END
$$;

-- As before; of what is nobody's, nobody is told.
CREATE OR REPLACE FUNCTION knowledge.on_dead_letters_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(ended.owned_by)), array_agg(knowledge.revived_event(ended.source_id)))
    FROM (SELECT DISTINCT source_id, owned_by FROM gone
          WHERE dismissed_at IS NULL AND content <> '' AND owned_by IS NOT NULL) ended
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION knowledge.on_dead_letters_resolved() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(ended.owned_by)), array_agg(knowledge.revived_event(ended.source_id)))
    FROM (SELECT DISTINCT b.source_id, b.owned_by
          FROM before_change b
          JOIN after_change a ON a.id = b.id
          WHERE b.dismissed_at IS NULL AND b.content <> '' AND b.owned_by IS NOT NULL
            AND (a.dismissed_at IS NOT NULL OR a.content = '')) ended
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;

-- The answer of a model that is being replaced: it comes back if the new one fails.
ALTER TABLE knowledge.conversation_exchanges ADD COLUMN former JSONB;

-- The sources of issues and merge requests of the inbox. Who has or had an item about one may read it: inbox.resource_reader.
CREATE TABLE knowledge.resource_sources (
    resource_id BIGINT PRIMARY KEY,
    source_id   BIGINT NOT NULL UNIQUE REFERENCES knowledge.knowledge_sources (id) ON DELETE CASCADE
);
