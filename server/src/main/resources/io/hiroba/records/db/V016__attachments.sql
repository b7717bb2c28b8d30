-- Files of records. docs/adr/0121-attachments.md says who may read them and when they go.
CREATE TABLE records.attachments (
    id          BIGINT PRIMARY KEY,
    project_id  BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    created_by  BIGINT      NOT NULL,
    name        TEXT        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 255),
    media_type  TEXT        NOT NULL,
    size        BIGINT      NOT NULL CHECK (size >= 0),
    -- Whether the file is stored.
    ready       BOOLEAN     NOT NULL DEFAULT false,
    -- The media type of its thumbnail.
    thumbnail   TEXT,
    -- The value that it was put into, which it stays with; NULL until then.
    schema_id   SMALLINT,
    attr_id     SMALLINT,
    row_id      UUID,
    -- When the sweep looks whether the value still has it, and since when it has not.
    check_at    TIMESTAMPTZ NOT NULL,
    released_at TIMESTAMPTZ,
    CHECK (num_nonnulls(schema_id, attr_id, row_id) IN (0, 3))
);

CREATE INDEX attachments_check_idx ON records.attachments (check_at);
CREATE INDEX attachments_project_idx ON records.attachments (project_id);

-- Files to delete, outside of any transaction.
CREATE TABLE records.attachment_deletions (
    id     BIGINT PRIMARY KEY,
    due_at TIMESTAMPTZ NOT NULL
);

CREATE INDEX attachment_deletions_due_idx ON records.attachment_deletions (due_at);

-- However a row goes, with its project too, its file follows.
CREATE FUNCTION records.queue_attachment() RETURNS trigger LANGUAGE plpgsql AS $queue$
BEGIN
    INSERT INTO records.attachment_deletions (id, due_at) VALUES (OLD.id, '-infinity') ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$queue$;

CREATE TRIGGER attachment_deleted AFTER DELETE ON records.attachments
    FOR EACH ROW EXECUTE FUNCTION records.queue_attachment();
