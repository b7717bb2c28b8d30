-- Browsers in which the owner of an account has signed in. One browser may know several accounts.
CREATE TABLE accounts.known_devices (
    secret_hash  BYTEA NOT NULL,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    last_used_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (secret_hash, user_id)
);
CREATE INDEX idx_known_devices_user_id ON accounts.known_devices (user_id, last_used_at DESC);
CREATE INDEX idx_known_devices_last_used_at ON accounts.known_devices (last_used_at);
