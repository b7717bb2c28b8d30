-- One authenticator app (TOTP) an account. It counts once a code of it was given; last_step is the time step of the newest code
-- that was accepted, so that each is accepted once.
CREATE TABLE accounts.authenticator_apps (
    user_id      BIGINT PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    id           BIGINT NOT NULL,
    secret       BYTEA NOT NULL,
    is_confirmed BOOLEAN NOT NULL DEFAULT false,
    last_step    BIGINT NOT NULL DEFAULT 0,
    last_used_at TIMESTAMPTZ
);
COMMENT ON COLUMN accounts.authenticator_apps.secret IS 'AES-GCM with the key authenticator-app-key of platform.secrets: nonce, then ciphertext';

CREATE TABLE accounts.passkeys (
    id            BIGINT PRIMARY KEY,
    user_id       BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    credential_id BYTEA NOT NULL UNIQUE,
    public_key    BYTEA NOT NULL,
    sign_count    BIGINT NOT NULL,
    name          VARCHAR(100) NOT NULL,
    last_used_at  TIMESTAMPTZ
);
CREATE INDEX idx_passkeys_user_id ON accounts.passkeys (user_id, id);

-- A code is deleted when it is used.
CREATE TABLE accounts.recovery_codes (
    user_id   BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    code_hash BYTEA NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- Log-ins with the right password that wait for the second factor.
CREATE TABLE accounts.pending_log_ins (
    secret_hash BYTEA PRIMARY KEY,
    user_id     BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    attempts    INTEGER NOT NULL DEFAULT 0,
    expires_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_pending_log_ins_user_id ON accounts.pending_log_ins (user_id);
CREATE INDEX idx_pending_log_ins_expires_at ON accounts.pending_log_ins (expires_at);

-- Challenges to passkeys, deleted when they are answered. Without a user: a log-in by passkey alone.
CREATE TABLE accounts.passkey_challenges (
    secret_hash BYTEA PRIMARY KEY,
    purpose     VARCHAR(20) NOT NULL,
    user_id     BIGINT REFERENCES accounts.users (id) ON DELETE CASCADE,
    request     TEXT NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_passkey_challenges_user_id ON accounts.passkey_challenges (user_id);
CREATE INDEX idx_passkey_challenges_expires_at ON accounts.passkey_challenges (expires_at);
