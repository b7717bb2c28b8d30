ALTER TABLE IF EXISTS saga.bulk_jobs
    DROP COLUMN IF EXISTS schedule_id,
    DROP COLUMN IF EXISTS parent_id,
    DROP COLUMN IF EXISTS attributes;
