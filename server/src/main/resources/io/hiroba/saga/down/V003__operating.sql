DROP TABLE IF EXISTS saga.bulk_jobs;
DROP TABLE IF EXISTS saga.resolutions;
ALTER TABLE saga.saga_step_logs DROP COLUMN IF EXISTS maybe_done, DROP COLUMN IF EXISTS response_head;
DROP FUNCTION IF EXISTS saga.append_events(TEXT[], UUID[], TEXT[], TEXT[], TEXT[], TEXT[]);
