-- When the owner was reminded that a token expires. A column without a default rewrites no row.
ALTER TABLE accounts.api_tokens ADD COLUMN expiring_notified_at TIMESTAMPTZ;

-- What people agreed to when they signed up, where the operator asks for it.
CREATE TABLE accounts.consents (
    user_id    BIGINT      PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    notice_url TEXT        NOT NULL,
    agreed_at  TIMESTAMPTZ NOT NULL DEFAULT now()
);
