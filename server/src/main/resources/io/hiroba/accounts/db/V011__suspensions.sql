-- An account is suspended while suspended_until is in the future; infinity is without an end. One that has run out stays until the
-- account is suspended again or restored.
ALTER TABLE accounts.users
    ADD COLUMN suspended_until   TIMESTAMPTZ,
    ADD COLUMN suspended_at      TIMESTAMPTZ,
    ADD COLUMN suspended_by      BIGINT,
    ADD COLUMN suspension_reason VARCHAR(500);
-- The lists of an admin; that of the admins is served by idx_users_admin.
CREATE INDEX idx_users_suspended ON accounts.users (id) WHERE suspended_until IS NOT NULL;
CREATE INDEX idx_users_agent ON accounts.users (id) WHERE ai_model IS NOT NULL;
