DROP TRIGGER IF EXISTS schedule_run_failed ON saga.saga_states;
DROP FUNCTION IF EXISTS saga.schedule_run_failed();
DROP FUNCTION IF EXISTS saga.append_schedule_events(TEXT, BIGINT[]);
ALTER TABLE IF EXISTS saga.schedules DROP COLUMN IF EXISTS owner;
ALTER TABLE IF EXISTS saga.saga_states DROP COLUMN IF EXISTS admitted_at;
DROP TABLE IF EXISTS saga.workflow_places;
