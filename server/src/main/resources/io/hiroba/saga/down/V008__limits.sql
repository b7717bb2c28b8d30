DROP TABLE IF EXISTS saga.call_waits;
DROP TABLE IF EXISTS saga.call_permits;
DROP TABLE IF EXISTS saga.service_limits;
DROP INDEX IF EXISTS saga.idx_saga_states_due;
ALTER TABLE IF EXISTS saga.saga_states DROP COLUMN IF EXISTS priority;
CREATE INDEX IF NOT EXISTS idx_saga_states_wake_at ON saga.saga_states (wake_at) WHERE wake_at IS NOT NULL;
