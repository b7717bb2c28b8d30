-- Webhooks for the records of some projects, and for the sagas of some workflows; none stands for all. And webhooks that an admin paused.
ALTER TABLE webhooks.webhooks
    ADD COLUMN projects  VARCHAR(16)[]  NOT NULL DEFAULT '{}',
    ADD COLUMN workflows VARCHAR(255)[] NOT NULL DEFAULT '{}',
    DROP CONSTRAINT webhooks_disabled_by_check,
    ADD CONSTRAINT webhooks_disabled_by_check CHECK (disabled_by IN ('owner', 'admin', 'gone', 'failing'));
