-- Collections of sources, which decide who may read and change what is in them (ADR 94).
CREATE TABLE knowledge.collections (
    id          BIGINT PRIMARY KEY,
    owned_by    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 4000),
    visibility  TEXT NOT NULL CHECK (visibility IN ('private', 'shared', 'public')),
    created_at  TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN knowledge.collections.visibility IS
    'private: its owner alone, and no members; shared: its members; public: everybody reads, and members have their roles';
CREATE INDEX idx_collections_owner ON knowledge.collections (owned_by, id DESC);
CREATE INDEX idx_collections_public ON knowledge.collections (id DESC) WHERE visibility = 'public';

CREATE TABLE knowledge.collection_members (
    collection_id BIGINT NOT NULL REFERENCES knowledge.collections (id) ON DELETE CASCADE,
    user_id       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    role          TEXT NOT NULL CHECK (role IN ('reader', 'editor', 'manager')),
    added_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (collection_id, user_id)
);
CREATE INDEX idx_collection_members_user ON knowledge.collection_members (user_id, collection_id);

-- The one rule of who may what in a collection; null means that it is not there for them.
CREATE FUNCTION knowledge.collection_role(collection BIGINT, reader BIGINT) RETURNS TEXT
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN c.owned_by = reader THEN 'manager'
                ELSE coalesce((SELECT m.role FROM knowledge.collection_members m
                               WHERE m.collection_id = c.id AND m.user_id = reader),
                              CASE WHEN c.visibility = 'public' THEN 'reader' END) END
    FROM knowledge.collections c
    WHERE c.id = collection
$$;

-- The same for searches: every collection in which they have a role. Asked once a statement, in the statement's own snapshot, so
-- that somebody who was removed finds nothing from that commit on.
CREATE FUNCTION knowledge.readable_collections(reader BIGINT) RETURNS BIGINT[]
LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(r.id), '{}')
    FROM (SELECT c.id FROM knowledge.collections c WHERE c.owned_by = reader
          UNION
          SELECT c.id FROM knowledge.collections c WHERE c.visibility = 'public'
          UNION
          SELECT m.collection_id FROM knowledge.collection_members m WHERE m.user_id = reader) AS r
$$;

-- A source in a collection is read by whom the collection lets, so it is not public by itself. A collection that is gone gives its
-- sources back; the copies in chunks and vectors may keep its id, which no collection has again.
ALTER TABLE knowledge.knowledge_sources
    ADD COLUMN collection_id BIGINT REFERENCES knowledge.collections (id) ON DELETE SET NULL,
    ADD CONSTRAINT sources_public_or_in_collection CHECK (collection_id IS NULL OR NOT is_public);
CREATE INDEX idx_sources_collection ON knowledge.knowledge_sources (collection_id, id DESC) WHERE collection_id IS NOT NULL;

ALTER TABLE knowledge.knowledge_chunks ADD COLUMN collection_id BIGINT;

DO $$
DECLARE
    space INT;
BEGIN
    FOR space IN
        SELECT id FROM knowledge.spaces
        WHERE state <> 'retired' AND to_regclass(format('knowledge.embeddings_%s', id)) IS NOT NULL
        ORDER BY id
    LOOP
        EXECUTE format($add$
            ALTER TABLE knowledge.embeddings_%1$s ADD COLUMN collection_id BIGINT;
            CREATE INDEX idx_embeddings_%1$s_collection ON knowledge.embeddings_%1$s (collection_id, source_type)
                WHERE collection_id IS NOT NULL;
            $add$, space);
    END LOOP;
END
$$;

-- As before, with the collection.
CREATE OR REPLACE FUNCTION knowledge.make_space(provider TEXT, model TEXT, dimensions INT, state TEXT) RETURNS INT
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    made INT;
BEGIN
    LOCK TABLE knowledge.knowledge_chunks IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO knowledge.spaces (provider, model, dimensions, state, activated_at)
    VALUES (provider, model, dimensions, state, CASE WHEN state = 'active' THEN CURRENT_TIMESTAMP END)
    RETURNING id INTO made;
    EXECUTE format($make$
        CREATE TABLE knowledge.embeddings_%1$s (
            source_id     BIGINT NOT NULL,
            chunk_id      BIGINT NOT NULL,
            owned_by      BIGINT NOT NULL,
            channel_id    BIGINT,
            user_id       BIGINT,
            created_at    TIMESTAMPTZ NOT NULL,
            source_type   knowledge.source_type_enum NOT NULL,
            is_public     BOOLEAN NOT NULL,
            embedding     halfvec(%2$s) NOT NULL,
            collection_id BIGINT,
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
        CREATE INDEX idx_embeddings_%1$s_collection ON knowledge.embeddings_%1$s (collection_id, source_type)
            WHERE collection_id IS NOT NULL;
        $make$, made, dimensions);
    RETURN made;
END
$$;

-- Places that are looked at again and again: an address, or a folder of the server. A node's claim moves `due_at` to the end of its
-- lease; what it writes names the claim.
CREATE TABLE knowledge.collection_watches (
    id               BIGINT PRIMARY KEY,
    collection_id    BIGINT NOT NULL REFERENCES knowledge.collections (id) ON DELETE CASCADE,
    owned_by         BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    kind             TEXT NOT NULL CHECK (kind IN ('url', 'folder')),
    location         TEXT NOT NULL CHECK (length(location) <= 4000),
    files            TEXT NOT NULL DEFAULT '' CHECK (length(files) <= 1000),
    interval_seconds INT NOT NULL CHECK (interval_seconds >= 60),
    due_at           TIMESTAMPTZ NOT NULL,
    claim            UUID,
    failures         INT NOT NULL DEFAULT 0,
    problem          TEXT,
    checked_at       TIMESTAMPTZ,
    changed_at       TIMESTAMPTZ,
    created_at       TIMESTAMPTZ NOT NULL,
    UNIQUE (collection_id, kind, location)
);
COMMENT ON COLUMN knowledge.collection_watches.owned_by IS 'Who set it up: the sources are theirs, and it stops when they may not add any more';
COMMENT ON COLUMN knowledge.collection_watches.files IS 'Patterns of the files of a folder, separated by spaces';
COMMENT ON COLUMN knowledge.collection_watches.problem IS 'Why the last look failed, as a message';
CREATE INDEX idx_watches_due ON knowledge.collection_watches (due_at);
CREATE INDEX idx_watches_owner ON knowledge.collection_watches (owned_by);

CREATE TABLE knowledge.watched_files (
    watch_id      BIGINT NOT NULL REFERENCES knowledge.collection_watches (id) ON DELETE CASCADE,
    path          TEXT NOT NULL,
    source_id     BIGINT REFERENCES knowledge.knowledge_sources (id) ON DELETE SET NULL,
    fingerprint   TEXT NOT NULL,
    content_hash  BYTEA NOT NULL,
    missing_since TIMESTAMPTZ,
    PRIMARY KEY (watch_id, path)
);
COMMENT ON COLUMN knowledge.watched_files.source_id IS 'None if it holds no text, or its source was deleted by hand: it comes back when it changes';
COMMENT ON COLUMN knowledge.watched_files.fingerprint IS 'What tells that it did not change without reading it: validators of HTTP, or size and time';
CREATE INDEX idx_watched_files_source ON knowledge.watched_files (source_id) WHERE source_id IS NOT NULL;
