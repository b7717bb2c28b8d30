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

-- Who somebody is at an OpenID Connect provider. An account without a password has '' in users.password.
CREATE TABLE accounts.identities (
    id           BIGINT PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    issuer       VARCHAR(500) NOT NULL,
    subject      VARCHAR(255) NOT NULL,
    name         VARCHAR(200) NOT NULL,
    last_used_at TIMESTAMPTZ NOT NULL,
    UNIQUE (issuer, subject)
);
CREATE INDEX idx_identities_user_id ON accounts.identities (user_id, id);

-- Browsers that were sent to a provider. The answer takes the row with it, so it is good once.
CREATE TABLE accounts.oidc_attempts (
    state_hash    BYTEA PRIMARY KEY,
    browser_hash  BYTEA NOT NULL,
    provider      VARCHAR(40) NOT NULL,
    nonce         VARCHAR(100) NOT NULL,
    code_verifier VARCHAR(128) NOT NULL,
    next          VARCHAR(2000) NOT NULL,
    invitation_id BIGINT,
    expires_at    TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_oidc_attempts_expires_at ON accounts.oidc_attempts (expires_at);

-- People whom a provider has authenticated and who have not yet linked or created an account.
CREATE TABLE accounts.pending_identities (
    secret_hash   BYTEA PRIMARY KEY,
    provider      VARCHAR(40) NOT NULL,
    issuer        VARCHAR(500) NOT NULL,
    subject       VARCHAR(255) NOT NULL,
    name          VARCHAR(200) NOT NULL,
    email         VARCHAR(100),
    nickname      VARCHAR(200) NOT NULL,
    is_admin      BOOLEAN,
    next          VARCHAR(2000) NOT NULL,
    invitation_id BIGINT,
    expires_at    TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN accounts.pending_identities.is_admin IS 'What the groups say of the role; null to leave it alone';
CREATE INDEX idx_pending_identities_expires_at ON accounts.pending_identities (expires_at);
