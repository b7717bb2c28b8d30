-- Schedules of sagas (ADR 92).
CREATE TABLE saga.schedules (
    id             BIGINT       PRIMARY KEY,
    name           VARCHAR(255) COLLATE "C" NOT NULL,
    workflow_name  VARCHAR(255) NOT NULL,
    -- One of the two: a cron expression of five fields, or a fixed interval.
    cron           VARCHAR(255),
    every_ms       BIGINT       CHECK (every_ms >= 1000),
    time_zone      VARCHAR(64)  NOT NULL,
    payload        JSONB        NOT NULL,
    overlap        VARCHAR(20)  NOT NULL CHECK (overlap IN ('SKIP', 'QUEUE', 'ALLOW', 'CANCEL_PREVIOUS')),
    catch_up       VARCHAR(10)  NOT NULL CHECK (catch_up IN ('NONE', 'LAST', 'ALL')),
    window_ms      BIGINT       NOT NULL CHECK (window_ms > 0),
    start_at       TIMESTAMPTZ,
    end_at         TIMESTAMPTZ,
    paused         BOOLEAN      NOT NULL DEFAULT false,
    note           VARCHAR(1000),
    -- The next due time; null while it is paused and when there is none any more.
    next_at        TIMESTAMPTZ,
    -- The due times up to here were decided on: none of them comes again, whatever the clocks do.
    handled_until  TIMESTAMPTZ,
    -- The due time of the run that waits for the one before it to end.
    waiting_at     TIMESTAMPTZ,
    error_message  TEXT,
    error_at       TIMESTAMPTZ,
    created_by     VARCHAR(255) NOT NULL,
    created_at     TIMESTAMPTZ  NOT NULL DEFAULT now(),
    updated_at     TIMESTAMPTZ  NOT NULL DEFAULT now(),

    CONSTRAINT uq_schedules_name UNIQUE (name),
    CONSTRAINT chk_schedules_times CHECK (num_nonnulls(cron, every_ms) = 1),
    CONSTRAINT chk_schedules_paused CHECK (NOT paused OR next_at IS NULL)
) WITH (fillfactor = 70);

CREATE INDEX idx_schedules_next_at ON saga.schedules (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX idx_schedules_waiting ON saga.schedules (id) WHERE waiting_at IS NOT NULL;

-- The sagas that a schedule started.
CREATE TABLE saga.schedule_runs (
    saga_id     UUID        PRIMARY KEY REFERENCES saga.saga_states (id) ON DELETE CASCADE,
    schedule_id BIGINT      NOT NULL REFERENCES saga.schedules (id) ON DELETE CASCADE,
    due_at      TIMESTAMPTZ NOT NULL,
    -- Somebody started it besides the due times.
    manual      BOOLEAN     NOT NULL DEFAULT false,
    -- The saga is known to have ended: noted when the schedule is due, so that this reads those since then alone.
    ended       BOOLEAN     NOT NULL DEFAULT false
) WITH (fillfactor = 90);

CREATE UNIQUE INDEX uq_schedule_runs_due ON saga.schedule_runs (schedule_id, due_at) WHERE NOT manual;
CREATE INDEX idx_schedule_runs_schedule ON saga.schedule_runs (schedule_id, saga_id);
CREATE INDEX idx_schedule_runs_open ON saga.schedule_runs (schedule_id) WHERE NOT ended;
