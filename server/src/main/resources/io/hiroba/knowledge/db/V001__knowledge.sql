CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;

CREATE TYPE knowledge.session_status_enum AS ENUM ('active', 'archived');
CREATE TYPE knowledge.source_type_enum AS ENUM (
    'discord_session', 'document_file', 'web_page', 'image_caption', 'audio_transcript', 'note', 'post');
CREATE TYPE knowledge.source_status_enum AS ENUM ('pending', 'processing', 'completed', 'partial', 'failed');

-- Chat sessions. Messages are rows of their own, so that an append costs the same however many came before (ADR 31).
CREATE TABLE knowledge.sessions (
    id                          BIGINT PRIMARY KEY,
    owned_by                    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    session_key                 TEXT NOT NULL CHECK (length(session_key) BETWEEN 1 AND 200),
    session_type                TEXT NOT NULL CHECK (session_type IN ('mention', 'thread', 'eavesdrop')),
    is_public                   BOOLEAN NOT NULL DEFAULT false,
    status                      knowledge.session_status_enum NOT NULL DEFAULT 'active',
    guild_id                    BIGINT,
    channel_id                  BIGINT,
    thread_id                   BIGINT,
    user_id                     BIGINT,
    version                     INT NOT NULL DEFAULT 1,
    message_count               INT NOT NULL DEFAULT 0,
    last_archived_message_index INT NOT NULL DEFAULT 0,
    created_at                  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_active_at              TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (owned_by, session_key),
    CHECK (last_archived_message_index BETWEEN 0 AND message_count)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON COLUMN knowledge.sessions.session_key IS 'mention:{user}, thread:{id} or eavesdrop:{channel}; unique per owner';
COMMENT ON COLUMN knowledge.sessions.last_archived_message_index IS 'The messages below it are archived';

-- An owner's, the latest first. The filter columns follow, so that filters are checked in the index.
CREATE INDEX idx_sessions_owner ON knowledge.sessions (
    owned_by, last_active_at DESC, id DESC, session_type, status, is_public);
-- The archiver's scan: the longest idle first.
CREATE INDEX idx_sessions_idle ON knowledge.sessions (last_active_at, id) WHERE status = 'active';

CREATE TABLE knowledge.session_messages (
    session_id    BIGINT NOT NULL REFERENCES knowledge.sessions (id) ON DELETE CASCADE,
    message_index INT NOT NULL,
    role          TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    content       TEXT NOT NULL,
    author        TEXT,
    message_id    BIGINT,
    sent_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, message_index)
);

CREATE TABLE knowledge.knowledge_sources (
    id           BIGINT PRIMARY KEY,
    owned_by     BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    is_public    BOOLEAN NOT NULL DEFAULT false,
    type         knowledge.source_type_enum NOT NULL,
    title        TEXT NOT NULL,
    uri          TEXT,
    origin       TEXT,
    content_hash BYTEA,
    chunk_count  INT NOT NULL DEFAULT 0,
    channel_id   BIGINT,
    user_id      BIGINT,
    metadata     JSONB NOT NULL DEFAULT '{}'::jsonb,
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
);
COMMENT ON COLUMN knowledge.knowledge_sources.origin IS
    'The key of what it was made from, if that can be imported again: url:…, post:{id}, session:{id}:{first message}';
COMMENT ON COLUMN knowledge.knowledge_sources.content_hash IS 'SHA-256 of the input, which is stored once per owner';

CREATE UNIQUE INDEX idx_sources_origin ON knowledge.knowledge_sources (owned_by, origin) WHERE origin IS NOT NULL;
CREATE UNIQUE INDEX idx_sources_content ON knowledge.knowledge_sources (owned_by, content_hash) WHERE content_hash IS NOT NULL;
CREATE INDEX idx_sources_owner ON knowledge.knowledge_sources (owned_by, id DESC);
CREATE INDEX idx_sources_public ON knowledge.knowledge_sources (id DESC) WHERE is_public;
CREATE INDEX idx_sources_owner_type ON knowledge.knowledge_sources (owned_by, type, id DESC);
CREATE INDEX idx_sources_public_type ON knowledge.knowledge_sources (type, id DESC) WHERE is_public;

-- Access and filter columns are copied from the source, so that a search needs no join for them.
CREATE TABLE knowledge.knowledge_chunks (
    source_id    BIGINT NOT NULL REFERENCES knowledge.knowledge_sources (id) ON DELETE CASCADE,
    id           BIGINT NOT NULL,
    position     INT NOT NULL,
    content      TEXT NOT NULL,
    content_hash BYTEA NOT NULL,
    location     JSONB NOT NULL DEFAULT '{}'::jsonb CHECK (location ? 'url' AND location ? 'label'),
    token_count  INT NOT NULL,
    words        TSVECTOR NOT NULL,
    owned_by     BIGINT NOT NULL,
    is_public    BOOLEAN NOT NULL,
    source_type  knowledge.source_type_enum NOT NULL,
    channel_id   BIGINT,
    user_id      BIGINT,
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (source_id, id)
) WITH (toast_tuple_target = 8160, fillfactor = 80);
-- Ranking reads the words of thousands of chunks, so they stay in the row; the statistics tell how common a word is.
ALTER TABLE knowledge.knowledge_chunks ALTER COLUMN words SET STATISTICS 500;
COMMENT ON COLUMN knowledge.knowledge_chunks.words IS 'Computed by the program: PostgreSQL''s own parser does not tokenize Japanese';

CREATE INDEX idx_chunks_position ON knowledge.knowledge_chunks (source_id, position);
-- Without a pending list, which every search would have to scan.
CREATE INDEX idx_chunks_words ON knowledge.knowledge_chunks USING gin (words) WITH (fastupdate = off);

-- Vectors are comparable within one model only: each model has a table of its own, embeddings_{id}.
CREATE TABLE knowledge.spaces (
    id           INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider     TEXT NOT NULL,
    model        TEXT NOT NULL,
    dimensions   INT NOT NULL CHECK (dimensions BETWEEN 1 AND 4000),
    state        TEXT NOT NULL CHECK (state IN ('building', 'active', 'retired')),
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    activated_at TIMESTAMPTZ
);
COMMENT ON COLUMN knowledge.spaces.state IS 'building: filled, to become the active one; active: searched; retired: gone';
CREATE UNIQUE INDEX idx_spaces_active ON knowledge.spaces (state) WHERE state = 'active';
CREATE UNIQUE INDEX idx_spaces_building ON knowledge.spaces (state) WHERE state = 'building';

-- Chunks to embed in a space. A worker's claim moves `due_at` to the end of its lease.
CREATE TABLE knowledge.embedding_queue (
    space_id    INT NOT NULL REFERENCES knowledge.spaces (id) ON DELETE CASCADE,
    source_id   BIGINT NOT NULL,
    chunk_id    BIGINT NOT NULL,
    retry_count INT NOT NULL DEFAULT 0,
    due_at      TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    claim       UUID,
    PRIMARY KEY (space_id, source_id, chunk_id),
    FOREIGN KEY (source_id, chunk_id) REFERENCES knowledge.knowledge_chunks (source_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX idx_queue_due ON knowledge.embedding_queue (space_id, due_at, chunk_id);
CREATE INDEX idx_queue_chunk ON knowledge.embedding_queue (source_id, chunk_id);

CREATE TABLE knowledge.knowledge_chunks_dlq (
    id                BIGINT PRIMARY KEY,
    space_id          INT NOT NULL REFERENCES knowledge.spaces (id) ON DELETE CASCADE,
    original_chunk_id BIGINT NOT NULL,
    source_id         BIGINT NOT NULL,
    source_title      TEXT NOT NULL,
    owned_by          BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    content           TEXT NOT NULL,
    error_code        TEXT NOT NULL,
    error_message     TEXT NOT NULL,
    retry_count       INT NOT NULL DEFAULT 0,
    created_at        TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_retry_at     TIMESTAMPTZ,
    dismissed_at      TIMESTAMPTZ
);
COMMENT ON COLUMN knowledge.knowledge_chunks_dlq.dismissed_at IS
    'When its owner dismissed it: it stays while the chunk has no vector because of it';
COMMENT ON TABLE knowledge.knowledge_chunks_dlq IS 'Dead letters. No foreign key to chunk or source: an entry outlives both, without the text';
CREATE INDEX idx_dlq_owner ON knowledge.knowledge_chunks_dlq (owned_by, id DESC);
CREATE INDEX idx_dlq_space ON knowledge.knowledge_chunks_dlq (space_id, created_at);
CREATE UNIQUE INDEX idx_dlq_chunk ON knowledge.knowledge_chunks_dlq (source_id, space_id, original_chunk_id);

-- Every new chunk is queued in every space, whoever wrote it.
CREATE FUNCTION knowledge.on_chunks_added() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge.embedding_queue (space_id, source_id, chunk_id)
    SELECT s.id, a.source_id, a.id
    FROM knowledge.spaces s
    CROSS JOIN added a
    WHERE s.state <> 'retired'
    ORDER BY s.id, a.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER chunks_added AFTER INSERT ON knowledge.knowledge_chunks
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION knowledge.on_chunks_added();

-- The text of a deleted chunk must not be readable among the dead letters: the entry stays without it. A dismissed entry
-- is deleted, and so is one of a post, whose title is its text.
CREATE FUNCTION knowledge.on_chunks_removed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM knowledge.knowledge_chunks_dlq d
    USING removed r
    WHERE d.source_id = r.source_id AND d.original_chunk_id = r.id
      AND (r.source_type = 'post' OR d.dismissed_at IS NOT NULL);
    UPDATE knowledge.knowledge_chunks_dlq d
    SET content = ''
    FROM removed r
    WHERE d.source_id = r.source_id AND d.original_chunk_id = r.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER chunks_removed AFTER DELETE ON knowledge.knowledge_chunks
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION knowledge.on_chunks_removed();

-- Creates a space. Writers of chunks are locked out until the transaction ends, in which the caller queues every chunk:
-- a writer either committed before, or sees the space.
CREATE FUNCTION knowledge.make_space(provider TEXT, model TEXT, dimensions INT, state TEXT) RETURNS INT
LANGUAGE plpgsql AS $$
DECLARE
    made INT;
BEGIN
    LOCK TABLE knowledge.knowledge_chunks IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO knowledge.spaces (provider, model, dimensions, state, activated_at)
    VALUES (provider, model, dimensions, state, CASE WHEN state = 'active' THEN CURRENT_TIMESTAMP END)
    RETURNING id INTO made;
    EXECUTE format($make$
        CREATE TABLE knowledge.embeddings_%1$s (
            source_id   BIGINT NOT NULL,
            chunk_id    BIGINT NOT NULL,
            owned_by    BIGINT NOT NULL,
            channel_id  BIGINT,
            user_id     BIGINT,
            created_at  TIMESTAMPTZ NOT NULL,
            source_type knowledge.source_type_enum NOT NULL,
            is_public   BOOLEAN NOT NULL,
            embedding   halfvec(%2$s) NOT NULL,
            PRIMARY KEY (source_id, chunk_id),
            FOREIGN KEY (source_id, chunk_id) REFERENCES knowledge.knowledge_chunks (source_id, id) ON DELETE CASCADE
        ) WITH (fillfactor = 80);
        -- Not toasted: a search reads hundreds of them.
        ALTER TABLE knowledge.embeddings_%1$s ALTER COLUMN embedding SET STORAGE PLAIN;
        CREATE INDEX idx_embeddings_%1$s_near ON knowledge.embeddings_%1$s
            USING hnsw (embedding halfvec_cosine_ops) WITH (m = 16, ef_construction = 64);
        CREATE INDEX idx_embeddings_%1$s_owner ON knowledge.embeddings_%1$s (owned_by, source_type);
        CREATE INDEX idx_embeddings_%1$s_channel ON knowledge.embeddings_%1$s (channel_id) WHERE channel_id IS NOT NULL;
        CREATE INDEX idx_embeddings_%1$s_user ON knowledge.embeddings_%1$s (user_id) WHERE user_id IS NOT NULL;
        CREATE INDEX idx_embeddings_%1$s_type ON knowledge.embeddings_%1$s (source_type) WHERE is_public;
        CREATE INDEX idx_embeddings_%1$s_time ON knowledge.embeddings_%1$s (created_at);
        $make$, made, dimensions);
    RETURN made;
END
$$;

-- The progress of a source in a space. It is counted and not stored, so it is never wrong (ADR 33).
CREATE FUNCTION knowledge.progress(source BIGINT, chunks INT, space INT)
RETURNS TABLE (status knowledge.source_status_enum, waiting INT, dead INT, error_code TEXT, error_message TEXT)
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN w.waiting > 0 AND w.waiting = chunks AND w.tried = 0 THEN 'pending'
                WHEN w.waiting > 0 THEN 'processing'
                WHEN d.dead = 0 THEN 'completed'
                WHEN d.dead = chunks THEN 'failed'
                ELSE 'partial' END::knowledge.source_status_enum,
           w.waiting, d.dead, e.error_code, e.error_message
    FROM (SELECT count(*)::int AS waiting, count(*) FILTER (WHERE q.claim IS NOT NULL OR q.retry_count > 0)::int AS tried
          FROM knowledge.embedding_queue q WHERE q.space_id = space AND q.source_id = source) AS w
    CROSS JOIN (SELECT count(*)::int AS dead
                FROM knowledge.knowledge_chunks_dlq d
                JOIN knowledge.knowledge_chunks c ON c.source_id = d.source_id AND c.id = d.original_chunk_id
                WHERE d.source_id = source AND d.space_id = space) AS d
    LEFT JOIN LATERAL (SELECT l.error_code, l.error_message
                       FROM knowledge.knowledge_chunks_dlq l
                       JOIN knowledge.knowledge_chunks c ON c.source_id = l.source_id AND c.id = l.original_chunk_id
                       WHERE d.dead > 0 AND l.source_id = source AND l.space_id = space
                       ORDER BY l.id DESC LIMIT 1) AS e ON true
$$;

-- The rules by which public posts become sources: those of a user, those with a tag, or those of a user with a tag.
CREATE TABLE knowledge.post_rules (
    id         BIGINT PRIMARY KEY,
    owned_by   BIGINT REFERENCES accounts.users (id) ON DELETE CASCADE,
    tag        TEXT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ended      BOOLEAN NOT NULL DEFAULT false,
    todo_below BIGINT DEFAULT 9223372036854775807,
    taken      INT NOT NULL DEFAULT 0,
    CHECK (owned_by IS NOT NULL OR tag IS NOT NULL),
    UNIQUE NULLS NOT DISTINCT (owned_by, tag)
);
COMMENT ON COLUMN knowledge.post_rules.ended IS 'Removed: the row stays until the sources that it alone covered are deleted';
COMMENT ON COLUMN knowledge.post_rules.todo_below IS
    'Posts (of an ended rule: sources) with ids below this are still to be processed; null when done';
COMMENT ON COLUMN knowledge.post_rules.taken IS 'The number of earlier posts processed, which is limited';
CREATE INDEX idx_post_rules_todo ON knowledge.post_rules (id) WHERE todo_below IS NOT NULL;
CREATE INDEX idx_sources_posts ON knowledge.knowledge_sources (id) WHERE type = 'post';

-- Dead letters are resolved in many ways: by a retry, a dismissal, or the deletion of the chunk, source or account. Only the
-- database sees all of them, so triggers append the event for each source.
CREATE FUNCTION knowledge.revived_event(source BIGINT) RETURNS JSONB
LANGUAGE sql IMMUTABLE STRICT
RETURN jsonb_build_object('type', 'knowledge-revived', 'sourceId', lpad(upper(to_hex(source)), 16, '0'));

CREATE FUNCTION knowledge.on_dead_letters_deleted() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(ended.owned_by)), array_agg(knowledge.revived_event(ended.source_id)))
    FROM (SELECT DISTINCT source_id, owned_by FROM gone WHERE dismissed_at IS NULL AND content <> '') ended
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER dead_letters_deleted AFTER DELETE ON knowledge.knowledge_chunks_dlq
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION knowledge.on_dead_letters_deleted();

CREATE FUNCTION knowledge.on_dead_letters_resolved() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(platform.event_partition(ended.owned_by)), array_agg(knowledge.revived_event(ended.source_id)))
    FROM (SELECT DISTINCT b.source_id, b.owned_by
          FROM before_change b
          JOIN after_change a ON a.id = b.id
          WHERE b.dismissed_at IS NULL AND b.content <> ''
            AND (a.dismissed_at IS NOT NULL OR a.content = '')) ended
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER dead_letters_resolved AFTER UPDATE ON knowledge.knowledge_chunks_dlq
    REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
    FOR EACH STATEMENT EXECUTE FUNCTION knowledge.on_dead_letters_resolved();
