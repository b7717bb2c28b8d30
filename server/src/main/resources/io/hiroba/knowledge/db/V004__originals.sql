-- The files that sources were made from, each once for all sources with its content (ADR 83). The name in the storage is the id and
-- not the hash: what is uploaded again while it is being deleted is another file.
CREATE TABLE knowledge.originals (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash     BYTEA NOT NULL UNIQUE,
    size     BIGINT NOT NULL CHECK (size >= 0),
    check_at TIMESTAMPTZ
);
COMMENT ON COLUMN knowledge.originals.hash IS 'SHA-256 of the file';
COMMENT ON COLUMN knowledge.originals.check_at IS
    'From when on it is deleted unless a source has it: an hour after an upload of it began, or at once after a source lost it';
CREATE INDEX idx_originals_check ON knowledge.originals (check_at) WHERE check_at IS NOT NULL;

ALTER TABLE knowledge.knowledge_sources ADD COLUMN original_id BIGINT REFERENCES knowledge.originals (id);
CREATE INDEX idx_sources_original ON knowledge.knowledge_sources (original_id) WHERE original_id IS NOT NULL;

-- Originals whose rows are gone and whose files are to go.
CREATE TABLE knowledge.original_deletions (
    id     BIGINT PRIMARY KEY,
    due_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_original_deletions_due ON knowledge.original_deletions (due_at);

-- However a source goes or changes, with its owner's account too, its original is looked at. One that is being uploaded keeps its hour.
CREATE FUNCTION knowledge.check_original() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE knowledge.originals SET check_at = coalesce(check_at, '-infinity') WHERE id = OLD.original_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER source_deleted AFTER DELETE ON knowledge.knowledge_sources
    FOR EACH ROW WHEN (OLD.original_id IS NOT NULL) EXECUTE FUNCTION knowledge.check_original();
CREATE TRIGGER source_original_changed AFTER UPDATE OF original_id ON knowledge.knowledge_sources
    FOR EACH ROW WHEN (OLD.original_id IS NOT NULL AND OLD.original_id IS DISTINCT FROM NEW.original_id)
    EXECUTE FUNCTION knowledge.check_original();
