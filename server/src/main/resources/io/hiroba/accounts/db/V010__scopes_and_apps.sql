-- With spaces between, as OAuth writes them. Null: all scopes, as tokens had before there were any.
ALTER TABLE accounts.api_tokens ADD COLUMN scopes TEXT;

-- Apps that registered themselves (RFC 7591). A secret only if the app can keep one.
CREATE TABLE accounts.oauth_clients (
    id            BIGINT PRIMARY KEY,
    name          VARCHAR(100) NOT NULL,
    secret_hash   BYTEA,
    redirect_uris VARCHAR(500)[] NOT NULL,
    used_at       TIMESTAMPTZ
);
COMMENT ON COLUMN accounts.oauth_clients.used_at IS 'When somebody let the app in last; those that nobody ever let in go soon';
CREATE INDEX idx_oauth_clients_unused ON accounts.oauth_clients (id) WHERE used_at IS NULL;
CREATE INDEX idx_oauth_clients_used_at ON accounts.oauth_clients (used_at) WHERE used_at IS NOT NULL;

-- What somebody allowed an app once. With it go the tokens that came of it.
CREATE TABLE accounts.oauth_grants (
    id           BIGINT PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    client_id    BIGINT NOT NULL REFERENCES accounts.oauth_clients (id) ON DELETE CASCADE,
    scopes       TEXT NOT NULL,
    last_used_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_oauth_grants_user_id ON accounts.oauth_grants (user_id, client_id);
CREATE INDEX idx_oauth_grants_client_id ON accounts.oauth_grants (client_id);
CREATE INDEX idx_oauth_grants_expires_at ON accounts.oauth_grants (expires_at);

-- A code that was redeemed stays a while with its grant, so that a second use is noticed.
CREATE TABLE accounts.oauth_codes (
    secret_hash  BYTEA PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    client_id    BIGINT NOT NULL REFERENCES accounts.oauth_clients (id) ON DELETE CASCADE,
    redirect_uri VARCHAR(500) NOT NULL,
    challenge    VARCHAR(43) NOT NULL,
    scopes       TEXT NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL,
    grant_id     BIGINT REFERENCES accounts.oauth_grants (id) ON DELETE CASCADE
);
CREATE INDEX idx_oauth_codes_user_id ON accounts.oauth_codes (user_id);
CREATE INDEX idx_oauth_codes_client_id ON accounts.oauth_codes (client_id);
CREATE INDEX idx_oauth_codes_expires_at ON accounts.oauth_codes (expires_at);
CREATE INDEX idx_oauth_codes_grant_id ON accounts.oauth_codes (grant_id) WHERE grant_id IS NOT NULL;

-- Used ones stay a while too. The moment is in the id.
CREATE TABLE accounts.oauth_refresh_tokens (
    id          BIGINT PRIMARY KEY,
    secret_hash BYTEA NOT NULL UNIQUE,
    grant_id    BIGINT NOT NULL REFERENCES accounts.oauth_grants (id) ON DELETE CASCADE,
    is_used     BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX idx_oauth_refresh_tokens_grant_id ON accounts.oauth_refresh_tokens (grant_id);
CREATE INDEX idx_oauth_refresh_tokens_used ON accounts.oauth_refresh_tokens (id) WHERE is_used;

-- The access tokens of apps are tokens like others.
ALTER TABLE accounts.api_tokens ADD COLUMN grant_id BIGINT REFERENCES accounts.oauth_grants (id) ON DELETE CASCADE;
CREATE INDEX idx_api_tokens_grant_id ON accounts.api_tokens (grant_id, id) WHERE grant_id IS NOT NULL;
