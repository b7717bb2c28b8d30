-- Calls that workers carry out, and calls that a service answers later (ADR 97). A task is the call of one attempt.
CREATE TABLE saga.tasks (
    id           BIGINT        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    saga_id      UUID          NOT NULL REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    step_index   INT           NOT NULL,
    step_name    VARCHAR(255)  NOT NULL,
    -- STATUS asks whether an execution took effect; its attempts are counted with those of the compensation.
    kind         VARCHAR(10)   NOT NULL CHECK (kind IN ('EXECUTE', 'COMPENSATE', 'STATUS')),
    attempt      INT           NOT NULL CHECK (attempt >= 1),
    service      VARCHAR(255)  COLLATE "C" NOT NULL,
    method       VARCHAR(2000) NOT NULL,
    -- Null where it is the payload of the saga.
    input        JSONB,
    -- CALLING: the service has been sent it, and has not said that it will answer later. LOST: its worker was not heard of any
    -- more. LATE: the step's time is over.
    state        VARCHAR(10)   NOT NULL
        CHECK (state IN ('QUEUED', 'CALLING', 'LEASED', 'DONE', 'FAILED', 'LOST', 'LATE', 'WITHDRAWN')),
    -- The place in the queue: when it came, earlier by half a minute for each priority of its saga.
    place        TIMESTAMPTZ   NOT NULL,
    timeout_ms   BIGINT        NOT NULL,
    -- SHA-256 of the token that whoever carries it out has.
    token_hash   BYTEA         UNIQUE,
    -- Null where a service that was called carries it out.
    worker       VARCHAR(255),
    lease_ms     BIGINT,
    leased_until TIMESTAMPTZ,
    deadline     TIMESTAMPTZ,
    progress     JSONB,
    answer       JSONB,
    reason       TEXT,
    response_head JSONB,
    retryable    BOOLEAN       NOT NULL DEFAULT false,
    maybe_done   BOOLEAN       NOT NULL DEFAULT false,
    -- Of what it ended with: whoever says the same again is answered the same.
    outcome_hash BYTEA,
    created_at   TIMESTAMPTZ   NOT NULL DEFAULT clock_timestamp(),
    started_at   TIMESTAMPTZ,
    ended_at     TIMESTAMPTZ,
    -- Whatever two nodes believe, an attempt is one task.
    UNIQUE (saga_id, step_index, kind, attempt),
    CONSTRAINT chk_tasks_leased CHECK (state <> 'LEASED' OR (leased_until IS NOT NULL AND token_hash IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX idx_tasks_queue ON saga.tasks (service, place, id) WHERE state = 'QUEUED';
CREATE INDEX idx_tasks_leases ON saga.tasks (leased_until) WHERE state = 'LEASED';
CREATE INDEX idx_tasks_running ON saga.tasks (service) WHERE state = 'LEASED';

-- The workers that have asked for tasks.
CREATE TABLE saga.workers (
    service VARCHAR(255) COLLATE "C" NOT NULL,
    name    VARCHAR(255) NOT NULL,
    seen_at TIMESTAMPTZ  NOT NULL DEFAULT now(),
    PRIMARY KEY (service, name)
) WITH (fillfactor = 50);

-- Whether it ever had a task: the others pay nothing.
ALTER TABLE saga.saga_states ADD COLUMN has_tasks BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE saga.services
    -- Whether it may answer 202, and say later how a call ended.
    ADD COLUMN async BOOLEAN NOT NULL DEFAULT false,
    DROP CONSTRAINT services_endpoint_check,
    ADD CONSTRAINT services_endpoint_check CHECK (endpoint ~ '^(http|https|grpc|grpcs)://' OR endpoint = 'worker:');
