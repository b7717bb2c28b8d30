-- Priorities of sagas (ADR 96). Sagas that are due are claimed along one index, by priority.
ALTER TABLE saga.saga_states ADD COLUMN priority SMALLINT NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 9);
CREATE INDEX idx_saga_states_due ON saga.saga_states (priority, wake_at) WHERE wake_at IS NOT NULL;
DROP INDEX saga.idx_saga_states_wake_at;

-- Limits of the calls of a service, on all nodes together. A row is locked while a saga asks for permits.
CREATE TABLE saga.service_limits (
    service         VARCHAR(255) COLLATE "C" PRIMARY KEY,
    max_concurrent  INT          CHECK (max_concurrent BETWEEN 1 AND 100000),
    rate_per_second NUMERIC(9,3) CHECK (rate_per_second BETWEEN 0.001 AND 100000),
    -- The calls of the last second are behind it: each moves it on by the time between two calls.
    next_slot       TIMESTAMPTZ  NOT NULL DEFAULT '-infinity',
    updated_by      VARCHAR(255) NOT NULL,
    updated_at      TIMESTAMPTZ  NOT NULL DEFAULT now(),
    CONSTRAINT chk_service_limits_any CHECK (num_nonnulls(max_concurrent, rate_per_second) > 0)
) WITH (fillfactor = 50);

-- The calls under way of services with a limit of concurrency. One of a node that died ends with the time that its call could take.
CREATE TABLE saga.call_permits (
    service VARCHAR(255) COLLATE "C" NOT NULL,
    saga_id UUID         NOT NULL,
    calls   INT          NOT NULL,
    until   TIMESTAMPTZ  NOT NULL,
    PRIMARY KEY (service, saga_id)
);

-- The sagas that wait for permits, in the order in which they came.
CREATE TABLE saga.call_waits (
    service VARCHAR(255) COLLATE "C" NOT NULL,
    saga_id UUID         NOT NULL,
    since   TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    -- When it asked last: one that has not for long does not wait any more.
    seen_at TIMESTAMPTZ  NOT NULL DEFAULT now(),
    PRIMARY KEY (service, saga_id)
);
CREATE INDEX idx_call_waits_since ON saga.call_waits (service, since);
