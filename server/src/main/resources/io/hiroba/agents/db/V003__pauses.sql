-- Pauses of agents, of one or of all, quiet hours, and how long runs are kept (ADR 116).
ALTER TABLE agents.agents
    ADD COLUMN paused      BOOLEAN     NOT NULL DEFAULT false,
    -- It answers nothing from the one to the other time of each day there; null where it has no quiet hours.
    ADD COLUMN quiet_from  TIME,
    ADD COLUMN quiet_until TIME,
    ADD COLUMN quiet_zone  VARCHAR(50),
    ADD CONSTRAINT chk_agents_quiet CHECK (num_nulls(quiet_from, quiet_until, quiet_zone) IN (0, 3));

-- The switch for all agents: one row.
CREATE TABLE agents.switch (
    id         BOOLEAN     PRIMARY KEY DEFAULT true CHECK (id),
    paused     BOOLEAN     NOT NULL DEFAULT false,
    changed_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
INSERT INTO agents.switch DEFAULT VALUES;

CREATE INDEX idx_runs_ended_at ON agents.runs (ended_at) WHERE ended_at IS NOT NULL;
