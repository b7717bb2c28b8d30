-- The rest of the filter of a bulk job: it has every condition that the list of sagas takes.
ALTER TABLE saga.bulk_jobs
    ADD COLUMN schedule_id BIGINT,
    ADD COLUMN parent_id UUID,
    ADD COLUMN attributes JSONB NOT NULL DEFAULT '[]';
