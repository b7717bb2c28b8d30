-- The status and headers of a service that refused a call; what it said is response_payload. And whether a failed call may have
-- taken effect all the same (ADR 89).
ALTER TABLE saga.saga_step_logs
    ADD COLUMN response_head JSONB,
    ADD COLUMN maybe_done    BOOLEAN NOT NULL DEFAULT false;

-- As the function of five arguments, with what the service said whose call left a saga stuck.
CREATE FUNCTION saga.append_events(
    kinds TEXT[], ids UUID[], workflows TEXT[], statuses TEXT[], correlations TEXT[], reasons TEXT[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(get_byte(uuid_send(id), 15)::smallint),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'type', kind, 'sagaId', id, 'workflowName', workflow, 'status', status, 'correlationId', correlation,
            'reason', reason))))
    FROM unnest(kinds, ids, workflows, statuses, correlations, reasons)
        AS t (kind, id, workflow, status, correlation, reason)
    HAVING count(*) > 0;
END
$$;

-- What operators decided about a saga by hand, in order. What was before it is kept, so that it can be undone while nothing followed.
CREATE TABLE saga.resolutions (
    saga_id     UUID         NOT NULL REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    number      INT          NOT NULL CHECK (number >= 1),
    action      VARCHAR(20)  NOT NULL CHECK (action IN ('skip', 'complete', 'fail', 'payload', 'undo')),
    -- The attempt that it wrote to the log; null where it was about the saga.
    step_index  INT,
    step_name   VARCHAR(255),
    step_action VARCHAR(50),
    reason      TEXT,
    resolved_by VARCHAR(255) NOT NULL,
    resolved_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    was_stuck   BOOLEAN      NOT NULL,
    was_error   TEXT,
    was_payload JSONB,
    undone      BOOLEAN      NOT NULL DEFAULT false,
    PRIMARY KEY (saga_id, number)
);

-- One action on all sagas that a filter finds, one saga a transaction. Whoever works on a job has its row locked: a node that dies
-- leaves it to the next, at the saga that was not done.
CREATE TABLE saga.bulk_jobs (
    id             UUID         PRIMARY KEY DEFAULT gen_random_uuid(),
    action         VARCHAR(20)  NOT NULL CHECK (action IN ('cancel', 'retry', 'signal')),
    signal         VARCHAR(255),
    payload        JSONB,
    workflow_name  VARCHAR(255),
    correlation_id VARCHAR(255),
    stuck          BOOLEAN      NOT NULL,
    from_at        TIMESTAMPTZ,
    to_at          TIMESTAMPTZ  NOT NULL,
    -- The statuses that are still looked through, in order; empty stands for any.
    statuses       TEXT         NOT NULL,
    -- The last saga of the first of these that was acted on.
    position       UUID,
    total          INT          NOT NULL,
    more           BOOLEAN      NOT NULL,
    done           INT          NOT NULL DEFAULT 0,
    refused        INT          NOT NULL DEFAULT 0,
    state          VARCHAR(20)  NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'DONE', 'STOPPED')),
    created_by     BIGINT       NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    created_at     TIMESTAMPTZ  NOT NULL DEFAULT now(),
    ended_at       TIMESTAMPTZ
);
CREATE INDEX idx_bulk_jobs_running ON saga.bulk_jobs (created_at) WHERE state = 'RUNNING';
