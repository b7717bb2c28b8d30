CREATE TABLE accounts.ai_models (
    name        VARCHAR(50) PRIMARY KEY,
    input_cost  NUMERIC(14, 6) NOT NULL CHECK (input_cost >= 0),
    output_cost NUMERIC(14, 6) NOT NULL CHECK (output_cost >= 0),
    description VARCHAR(1000) NOT NULL DEFAULT '',
    updated_at  TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN accounts.ai_models.input_cost IS 'US dollars for a million tokens read';
COMMENT ON COLUMN accounts.ai_models.output_cost IS 'US dollars for a million tokens written';

-- Only what lists show; the rest is in user_details. created_at is the moment in the id, so both orders are one.
CREATE TABLE accounts.users (
    id         BIGINT PRIMARY KEY,
    email      VARCHAR(100) NOT NULL UNIQUE CHECK (email = lower(email)),
    nickname   VARCHAR(50) NOT NULL,
    password   VARCHAR(200) NOT NULL,
    is_admin   BOOLEAN NOT NULL,
    snippet    VARCHAR(4096) NOT NULL,
    avatar     VARCHAR(100),
    ai_model   VARCHAR(50) REFERENCES accounts.ai_models (name) ON DELETE SET NULL,
    time_zone  VARCHAR(50),
    created_at TIMESTAMPTZ NOT NULL GENERATED ALWAYS AS (to_timestamp((id >> 20) / 1000.0)) STORED,
    updated_at TIMESTAMPTZ
);
CREATE INDEX idx_users_nickname_id ON accounts.users (LOWER(nickname) text_pattern_ops, nickname, id);
-- The few admins are looked for and locked when one of them is to go; an AI model's users when the model goes.
CREATE INDEX idx_users_admin ON accounts.users (id) WHERE is_admin;
CREATE INDEX idx_users_ai_model ON accounts.users (ai_model) WHERE ai_model IS NOT NULL;

CREATE TABLE accounts.user_details (
    user_id        BIGINT PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    introduction   VARCHAR(65535) NOT NULL,
    ai_personality VARCHAR(5000)
);

CREATE TABLE accounts.ai_actions (
    user_id BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    id      BIGINT NOT NULL,
    payload JSONB NOT NULL,
    PRIMARY KEY (user_id, id)
);
COMMENT ON TABLE accounts.ai_actions IS 'What an agent did, in its own words: a log without a schema';

CREATE TABLE accounts.sessions (
    id           BIGINT PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    admin_id     BIGINT REFERENCES accounts.users (id) ON DELETE CASCADE,
    secret_hash  BYTEA NOT NULL UNIQUE,
    address      VARCHAR(50) NOT NULL,
    agent        VARCHAR(300) NOT NULL,
    last_used_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
COMMENT ON COLUMN accounts.sessions.admin_id IS 'The admin who acts as user_id';
CREATE INDEX idx_sessions_user_id ON accounts.sessions (user_id, id);
CREATE INDEX idx_sessions_admin_id ON accounts.sessions (admin_id) WHERE admin_id IS NOT NULL;
CREATE INDEX idx_sessions_expires_at ON accounts.sessions (expires_at);

CREATE TABLE accounts.api_tokens (
    id           BIGINT PRIMARY KEY,
    user_id      BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    name         VARCHAR(100) NOT NULL,
    secret_hash  BYTEA NOT NULL UNIQUE,
    last_used_at TIMESTAMPTZ,
    expires_at   TIMESTAMPTZ
);
CREATE INDEX idx_api_tokens_user_id ON accounts.api_tokens (user_id, id);
CREATE INDEX idx_api_tokens_expires_at ON accounts.api_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- A code that was asked for. There is one for an unknown address too, so that asking costs the same; nobody is told it.
CREATE TABLE accounts.codes (
    id         UUID PRIMARY KEY,
    purpose    VARCHAR(20) NOT NULL CHECK (purpose IN ('sign-up', 'password-reset', 'email-change')),
    email      VARCHAR(100) NOT NULL,
    user_id    BIGINT REFERENCES accounts.users (id) ON DELETE CASCADE,
    code_hash  BYTEA NOT NULL,
    attempts   SMALLINT NOT NULL DEFAULT 0,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_codes_expires_at ON accounts.codes (expires_at);
CREATE INDEX idx_codes_email ON accounts.codes (email);
CREATE INDEX idx_codes_user_id ON accounts.codes (user_id) WHERE user_id IS NOT NULL;

-- No foreign keys: what was done stays on record when the people are gone.
CREATE TABLE accounts.audit_log (
    id         BIGINT PRIMARY KEY,
    actor_id   BIGINT,
    action     VARCHAR(50) NOT NULL,
    subject_id BIGINT,
    detail     VARCHAR(200)
);

CREATE VIEW accounts.user_card AS
SELECT id, nickname, avatar, CASE WHEN ai_model IS NULL THEN 'person' ELSE 'agent' END AS kind
FROM accounts.users;
COMMENT ON VIEW accounts.user_card IS 'What other features may read and join';

CREATE VIEW accounts.user_zone AS
SELECT id AS user_id, time_zone
FROM accounts.users;
COMMENT ON VIEW accounts.user_zone IS 'Which days somebody lives by, for other features to join; no zone means the server''s';
