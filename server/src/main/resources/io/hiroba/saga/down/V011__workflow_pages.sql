DROP TABLE saga.service_calls;
DROP TABLE saga.saved_filters;
DELETE FROM saga.bulk_jobs WHERE action = 'migrate';
ALTER TABLE saga.bulk_jobs
    DROP COLUMN version,
    DROP CONSTRAINT bulk_jobs_action_check,
    ADD CONSTRAINT bulk_jobs_action_check CHECK (action IN ('cancel', 'retry', 'signal'));
DELETE FROM saga.resolutions WHERE action = 'migrate';
ALTER TABLE saga.resolutions
    DROP CONSTRAINT resolutions_action_check,
    ADD CONSTRAINT resolutions_action_check CHECK (action IN ('skip', 'complete', 'fail', 'payload', 'undo'));
