-- An admin's pause is kept apart from what disabled the webhook: one that its owner has disabled stays so when it is resumed.
ALTER TABLE webhooks.webhooks ADD COLUMN paused_at TIMESTAMPTZ;

UPDATE webhooks.webhooks
SET paused_at = disabled_at, disabled_at = NULL, disabled_by = NULL
WHERE disabled_by = 'admin';

ALTER TABLE webhooks.webhooks
    DROP CONSTRAINT webhooks_disabled_by_check,
    ADD CONSTRAINT webhooks_disabled_by_check CHECK (disabled_by IN ('owner', 'gone', 'failing'));

DROP INDEX webhooks.idx_webhooks_enabled;
CREATE INDEX idx_webhooks_enabled ON webhooks.webhooks (id) WHERE disabled_at IS NULL AND paused_at IS NULL;

-- The first due queue of each webhook, however many another has.
CREATE INDEX idx_queues_webhook_due ON webhooks.queues (webhook_id, due_at);
