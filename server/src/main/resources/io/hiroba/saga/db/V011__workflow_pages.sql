-- Sagas are moved to newer versions of their workflows (ADR 98): one by one, which is among the decisions of operators, or all that a
-- filter finds.
ALTER TABLE saga.resolutions
    DROP CONSTRAINT resolutions_action_check,
    ADD CONSTRAINT resolutions_action_check
        CHECK (action IN ('skip', 'complete', 'fail', 'payload', 'undo', 'migrate'));

ALTER TABLE saga.bulk_jobs
    DROP CONSTRAINT bulk_jobs_action_check,
    ADD CONSTRAINT bulk_jobs_action_check CHECK (action IN ('cancel', 'retry', 'signal', 'migrate')),
    ADD COLUMN version INT;
