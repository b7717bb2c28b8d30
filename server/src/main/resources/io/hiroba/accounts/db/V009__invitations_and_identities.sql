-- Links with which people sign up. They end with the account of whoever made them; who used one is kept as long as both.
CREATE TABLE accounts.invitations (
    id          BIGINT PRIMARY KEY,
    created_by  BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    secret_hash BYTEA NOT NULL UNIQUE,
    email       VARCHAR(100),
    note        VARCHAR(200) NOT NULL,
    max_uses    INTEGER NOT NULL CHECK (max_uses > 0),
    uses        INTEGER NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND max_uses),
    expires_at  TIMESTAMPTZ NOT NULL,
    revoked_at  TIMESTAMPTZ
);
COMMENT ON COLUMN accounts.invitations.email IS 'The only address it is for; it was mailed there and to nobody else';
CREATE INDEX idx_invitations_created_by ON accounts.invitations (created_by, id);
CREATE INDEX idx_invitations_expires_at ON accounts.invitations (expires_at);

CREATE TABLE accounts.invitation_uses (
    invitation_id BIGINT NOT NULL REFERENCES accounts.invitations (id) ON DELETE CASCADE,
    user_id       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    PRIMARY KEY (invitation_id, user_id)
);
CREATE INDEX idx_invitation_uses_user_id ON accounts.invitation_uses (user_id);

-- The invitation that a sign-up was started with.
ALTER TABLE accounts.codes ADD COLUMN invitation_id BIGINT REFERENCES accounts.invitations (id) ON DELETE CASCADE;
CREATE INDEX idx_codes_invitation_id ON accounts.codes (invitation_id) WHERE invitation_id IS NOT NULL;
