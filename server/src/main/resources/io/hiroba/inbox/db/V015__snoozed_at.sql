-- When an item was snoozed: an event that was received before does not wake it, however often its delivery is handled.
ALTER TABLE inbox.notifications ADD COLUMN snoozed_at TIMESTAMPTZ;
