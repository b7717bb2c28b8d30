-- Archives in which people get their own data; see the ADR on exports. A node claims one with a lease. The fence goes up with each
-- claim and is part of the archive's name, so that nodes that both take themselves for the owner write different files.
CREATE TABLE accounts.exports (
    id           BIGINT PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    token_id     BIGINT,
    state        VARCHAR(10) NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'ready', 'failed')),
    progress     JSONB NOT NULL DEFAULT '[]',
    size         BIGINT,
    expires_at   TIMESTAMPTZ,
    fence        INT NOT NULL DEFAULT 0,
    attempts     INT NOT NULL DEFAULT 0,
    leased_until TIMESTAMPTZ,
    CHECK ((state = 'running') = (expires_at IS NULL)),
    CHECK ((state = 'ready') = (size IS NOT NULL))
) WITH (fillfactor = 50);
COMMENT ON COLUMN accounts.exports.token_id IS 'The API token that started it, with the password: it may fetch the archive';
COMMENT ON COLUMN accounts.exports.progress IS 'Each part with its files and items so far, in the order in which they are written';
CREATE INDEX idx_exports_user_id ON accounts.exports (user_id, id);
CREATE UNIQUE INDEX idx_exports_one_running ON accounts.exports (user_id) WHERE state = 'running';
CREATE INDEX idx_exports_running ON accounts.exports (id) WHERE state = 'running';
CREATE INDEX idx_exports_expires_at ON accounts.exports (expires_at) WHERE expires_at IS NOT NULL;

-- Archives whose rows are gone and whose files are to go. No foreign key: the owner may be gone too.
CREATE TABLE accounts.export_deletions (
    export_id BIGINT PRIMARY KEY,
    fence     INT NOT NULL,
    due_at    TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_export_deletions_due_at ON accounts.export_deletions (due_at);

-- However a row goes, with its owner's account too, its files follow. That of one that is claimed may still be being stored.
CREATE FUNCTION accounts.queue_export_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO accounts.export_deletions (export_id, fence, due_at)
    VALUES (OLD.id, OLD.fence, coalesce(OLD.leased_until + INTERVAL '1 minute', '-infinity'))
    ON CONFLICT (export_id) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER exports_deleted AFTER DELETE ON accounts.exports
    FOR EACH ROW EXECUTE FUNCTION accounts.queue_export_deletion();
