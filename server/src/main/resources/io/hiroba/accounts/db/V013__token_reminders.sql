-- When the owner was reminded that a token expires. A column without a default rewrites no row.
ALTER TABLE accounts.api_tokens ADD COLUMN expiring_notified_at TIMESTAMPTZ;
