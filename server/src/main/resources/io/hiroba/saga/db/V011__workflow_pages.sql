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

-- Filters of the list of sagas that people have given names, as they stand in the address of the page.
CREATE TABLE saga.saved_filters (
    user_id    BIGINT        NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    name       VARCHAR(100)  COLLATE "C" NOT NULL,
    query      VARCHAR(4000) NOT NULL,
    created_at TIMESTAMPTZ   NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, name)
);

-- The calls of a service in ten minutes, as each node has counted them: a node writes its own rows only, and all of a row.
CREATE TABLE saga.service_calls (
    service      VARCHAR(255) COLLATE "C" NOT NULL,
    slot         TIMESTAMPTZ  NOT NULL,
    node         UUID         NOT NULL,
    calls        INT          NOT NULL,
    failures     INT          NOT NULL,
    -- How many took how long: each place stands for times up to the square root of two longer than the one before.
    latencies    INT[]        NOT NULL,
    last_error   TEXT,
    failed_saga  UUID,
    failed_at    TIMESTAMPTZ,
    PRIMARY KEY (service, slot, node)
) WITH (fillfactor = 70);
CREATE INDEX idx_service_calls_slot ON saga.service_calls (slot);
