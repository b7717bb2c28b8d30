-- What runs write at this moment, who stopped them, and what people think of their replies (ADR 125).
ALTER TABLE agents.runs ADD COLUMN stopped_by BIGINT REFERENCES accounts.users (id) ON DELETE SET NULL;
CREATE INDEX idx_runs_stopped_by ON agents.runs (stopped_by) WHERE stopped_by IS NOT NULL;

-- The text so far of runs that a model writes for. It is shown only while the fence is that of the run, and worth no log: after a crash
-- of the database the run begins anew.
CREATE UNLOGGED TABLE agents.drafts (
    run_id  BIGINT  PRIMARY KEY REFERENCES agents.runs (id) ON DELETE CASCADE,
    fence   BIGINT  NOT NULL,
    turn    INTEGER NOT NULL,
    content TEXT    NOT NULL,
    -- The tool that is being used.
    tool    VARCHAR(60)
) WITH (fillfactor = 50);

CREATE OR REPLACE FUNCTION agents.close_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE agents.actions SET state = 'withdrawn' WHERE run_id = NEW.id AND state = 'open';
    DELETE FROM agents.turns WHERE run_id = NEW.id;
    DELETE FROM agents.drafts WHERE run_id = NEW.id;
    RETURN NULL;
END
$$;

-- Thumbs up and down: one a person for each reply.
CREATE TABLE agents.feedback (
    run_id     BIGINT        NOT NULL REFERENCES agents.runs (id) ON DELETE CASCADE,
    user_id    BIGINT        NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    agent_id   BIGINT        NOT NULL,
    good       BOOLEAN       NOT NULL,
    comment    VARCHAR(1000) NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ   NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ   NOT NULL DEFAULT now(),
    PRIMARY KEY (run_id, user_id)
);
CREATE INDEX idx_feedback_user_id ON agents.feedback (user_id, run_id);
CREATE INDEX idx_feedback_agent_id ON agents.feedback (agent_id, good);
