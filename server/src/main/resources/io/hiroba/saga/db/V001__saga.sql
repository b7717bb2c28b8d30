-- The orchestrator's tables. docs/adr/0021-saga-tables.md says where they differ from the design document and why.

CREATE FUNCTION saga.update_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at = now();
    RETURN NEW;
END
$$;

-- Every version of a workflow that was ever registered: a saga stays on the one it started with.
CREATE TABLE saga.workflows (
    name       VARCHAR(255) NOT NULL,
    version    INT          NOT NULL CHECK (version >= 1),
    definition TEXT         NOT NULL,
    format     VARCHAR(4)   NOT NULL CHECK (format IN ('yaml', 'json')),
    enabled    BOOLEAN      NOT NULL DEFAULT true,
    created_by VARCHAR(255) NOT NULL,
    created_at TIMESTAMPTZ  NOT NULL DEFAULT now(),
    PRIMARY KEY (name, version)
);

CREATE TABLE saga.saga_states (
    -- UUID v7, made by the node: the order of the ids is the order of creation, so that it serves every list.
    id               UUID         PRIMARY KEY,
    workflow_name    VARCHAR(255) NOT NULL,
    workflow_version INT          NOT NULL,
    current_step     INT          NOT NULL DEFAULT 0,
    status           VARCHAR(50)  NOT NULL DEFAULT 'STARTED',
    payload          JSONB,
    correlation_id   VARCHAR(255),
    initiated_by     VARCHAR(255),
    error_message    TEXT,
    traceparent      VARCHAR(55),
    created_at       TIMESTAMPTZ  NOT NULL DEFAULT now(),
    updated_at       TIMESTAMPTZ  NOT NULL DEFAULT now(),
    -- When it must have completed.
    deadline         TIMESTAMPTZ,
    -- The node that works on it; null while it waits until wake_at, if there is one.
    owner            BIGINT,
    wake_at          TIMESTAMPTZ,
    -- Goes up whenever the saga changes hands: who does not know its present value cannot write.
    fence            INT          NOT NULL DEFAULT 0,
    -- The number of signals; compared when the saga begins to wait, so that none is missed.
    signals          INT          NOT NULL DEFAULT 0,
    -- The final status after compensation, where somebody asked for it; FAILED otherwise.
    undone_as        VARCHAR(50),
    -- A call may have been under way when the saga was lost or turned around: its effect is found out first.
    in_doubt         BOOLEAN      NOT NULL DEFAULT false,
    -- It needs an operator.
    stuck            BOOLEAN      NOT NULL DEFAULT false,

    CONSTRAINT chk_saga_states_status
        CHECK (status IN ('STARTED', 'RUNNING', 'COMPLETED', 'COMPENSATING', 'FAILED', 'CANCELLED')),
    CONSTRAINT chk_saga_states_undone_as CHECK (undone_as IN ('FAILED', 'CANCELLED')),
    CONSTRAINT chk_saga_states_at_rest
        CHECK (status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED') OR (owner IS NULL AND wake_at IS NULL AND NOT stuck)),
    CONSTRAINT chk_saga_states_one_place CHECK (num_nonnulls(owner, wake_at) <= 1),
    CONSTRAINT chk_saga_states_stuck CHECK (NOT stuck OR num_nonnulls(owner, wake_at) = 0)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

CREATE INDEX idx_saga_states_workflow_status ON saga.saga_states (workflow_name, status, id);
CREATE INDEX idx_saga_states_status ON saga.saga_states (status, id);
CREATE INDEX idx_saga_states_correlation_id ON saga.saga_states (correlation_id, status, id)
    WHERE correlation_id IS NOT NULL;
CREATE INDEX idx_saga_states_owner ON saga.saga_states (owner) WHERE owner IS NOT NULL;
CREATE INDEX idx_saga_states_wake_at ON saga.saga_states (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX idx_saga_states_stuck ON saga.saga_states (id) WHERE stuck;

-- Our own statements set updated_at themselves and do not pay for the call.
CREATE TRIGGER update_saga_states_updated_at
    BEFORE UPDATE ON saga.saga_states
    FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at)
    EXECUTE FUNCTION saga.update_updated_at();

-- One row an attempt, written with the state that follows from it.
CREATE TABLE saga.saga_step_logs (
    saga_id          UUID         NOT NULL REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    step_index       INT          NOT NULL,
    action           VARCHAR(50)  NOT NULL,
    attempt          INT          NOT NULL CHECK (attempt >= 1),
    step_name        VARCHAR(255) NOT NULL,
    status           VARCHAR(50)  NOT NULL,
    -- Null where the saga's payload was sent as it is.
    request_payload  JSONB,
    response_payload JSONB,
    error_message    TEXT,
    started_at       TIMESTAMPTZ  NOT NULL DEFAULT now(),
    completed_at     TIMESTAMPTZ,
    -- When the next attempt is due; null where this was the last.
    retry_at         TIMESTAMPTZ,
    -- It was the last of its round: only a person begins another, and that one has all its attempts again.
    gave_up          BOOLEAN      NOT NULL DEFAULT false,
    updated_at       TIMESTAMPTZ  NOT NULL DEFAULT now(),

    PRIMARY KEY (saga_id, step_index, action, attempt),
    CONSTRAINT chk_saga_step_logs_action CHECK (action IN ('EXECUTE', 'COMPENSATE')),
    CONSTRAINT chk_saga_step_logs_status CHECK (status IN ('SUCCESS', 'FAILED', 'TIMEOUT', 'SKIPPED')),
    CONSTRAINT chk_saga_step_logs_retry CHECK (retry_at IS NULL OR status IN ('FAILED', 'TIMEOUT'))
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

-- What did not go well is looked for by step, what happened when by time. Where the archive has made room, new attempts
-- lie among old ones: several spans of time are kept of each stretch of blocks, or one would soon cover everything.
CREATE INDEX idx_saga_step_logs_trouble ON saga.saga_step_logs (step_name, started_at)
    WHERE status <> 'SUCCESS' OR action <> 'EXECUTE';
CREATE INDEX idx_saga_step_logs_started_at ON saga.saga_step_logs USING brin (started_at timestamptz_minmax_multi_ops)
    WITH (pages_per_range = 32, autosummarize = on);

CREATE TRIGGER trigger_saga_step_logs_update_updated_at
    BEFORE UPDATE ON saga.saga_step_logs
    FOR EACH ROW WHEN (NEW.updated_at = OLD.updated_at)
    EXECUTE FUNCTION saga.update_updated_at();

CREATE TABLE saga.signals (
    saga_id UUID         NOT NULL REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    name    VARCHAR(255) NOT NULL,
    payload JSONB        NOT NULL,
    sent_by VARCHAR(255) NOT NULL,
    sent_at TIMESTAMPTZ  NOT NULL DEFAULT now(),
    PRIMARY KEY (saga_id, name)
);

-- The nodes that work on sagas. One whose lease has ended is taken for dead.
CREATE TABLE saga.nodes (
    id          BIGINT      PRIMARY KEY,
    lease_until TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 50);

-- The endpoints of services, beside those of the configuration. Ordered by bytes, as the program orders names.
CREATE TABLE saga.services (
    name       VARCHAR(255)  COLLATE "C" PRIMARY KEY,
    endpoint   VARCHAR(2000) NOT NULL CHECK (endpoint ~ '^(http|https|grpc|grpcs)://'),
    updated_by VARCHAR(255)  NOT NULL,
    updated_at TIMESTAMPTZ   NOT NULL DEFAULT now()
);

-- The roles of users besides the admins: auditors read sagas, operators act on them.
CREATE TABLE saga.roles (
    user_id    BIGINT      PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    role       VARCHAR(20) NOT NULL CHECK (role IN ('auditor', 'operator')),
    granted_by BIGINT      REFERENCES accounts.users (id) ON DELETE SET NULL,
    granted_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Appends events of sagas: an event's partition comes of the saga's id, so that the events of one saga stay in order. In
-- PL/pgSQL, whose plans PostgreSQL keeps: a function in SQL that cannot be inlined is planned anew by each statement that calls
-- it, which took a tenth of the time that a saga needs in the database.
CREATE FUNCTION saga.append_events(kinds TEXT[], ids UUID[], workflows TEXT[], statuses TEXT[], correlations TEXT[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(get_byte(uuid_send(id), 15)::smallint),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'type', kind, 'sagaId', id, 'workflowName', workflow, 'status', status, 'correlationId', correlation))))
    FROM unnest(kinds, ids, workflows, statuses, correlations) AS t (kind, id, workflow, status, correlation)
    HAVING count(*) > 0;
END
$$;
