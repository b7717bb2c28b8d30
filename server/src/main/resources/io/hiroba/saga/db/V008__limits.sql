-- Priorities of sagas (ADR 96). Sagas that are due are claimed along one index, by priority.
ALTER TABLE saga.saga_states ADD COLUMN priority SMALLINT NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 9);
CREATE INDEX idx_saga_states_due ON saga.saga_states (priority, wake_at) WHERE wake_at IS NOT NULL;
DROP INDEX saga.idx_saga_states_wake_at;
