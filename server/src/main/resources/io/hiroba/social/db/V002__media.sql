-- An uploaded picture. Its files are named after it, so this row is all there is to know. It is served once finished.
CREATE TABLE social.images (
    owner_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    id       BIGINT NOT NULL,
    purpose  VARCHAR(10) NOT NULL CHECK (purpose IN ('image', 'avatar')),
    encoding VARCHAR(4) NOT NULL CHECK (encoding IN ('jpg', 'png')),
    width    INTEGER NOT NULL CHECK (width > 0),
    height   INTEGER NOT NULL CHECK (height > 0),
    bytes    BIGINT NOT NULL CHECK (bytes > 0),
    month    DATE NOT NULL,
    finished BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (owner_id, id)
);
COMMENT ON COLUMN social.images.bytes IS 'The size of the uploaded file, which was counted in media_use for the month';
CREATE INDEX idx_images_id ON social.images (id);
CREATE INDEX idx_images_unfinished ON social.images (id) WHERE NOT finished;

-- What somebody uploaded in a month. Deleting an image does not give its bytes back, so this is no sum over images.
CREATE TABLE social.media_use (
    owner_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    month    DATE NOT NULL,
    bytes    BIGINT NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (owner_id, month)
);
COMMENT ON COLUMN social.media_use.month IS 'Its first day, in UTC';

-- Pictures whose rows are gone and whose files are to go. No foreign key: the owner may be gone too.
CREATE TABLE social.media_deletions (
    owner_id BIGINT NOT NULL,
    image_id BIGINT NOT NULL,
    encoding VARCHAR(4) NOT NULL,
    due_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (owner_id, image_id)
);
CREATE INDEX idx_media_deletions_due_at ON social.media_deletions (due_at);

-- However a row goes, with its owner's account too, its files follow. Those of an unfinished one may still be being
-- written, so they are given the time after which an upload is taken for dead.
CREATE FUNCTION social.note_media_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO social.media_deletions (owner_id, image_id, encoding, due_at)
    VALUES (OLD.owner_id, OLD.id, OLD.encoding,
            CASE WHEN OLD.finished THEN '-infinity' ELSE to_timestamp((OLD.id >> 20) / 1000.0) + INTERVAL '1 hour' END)
    ON CONFLICT (owner_id, image_id) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER images_deleted AFTER DELETE ON social.images
    FOR EACH ROW EXECUTE FUNCTION social.note_media_deletion();
