-- Tools of agents that change something (ADR 116).
ALTER TABLE agents.runs
    DROP CONSTRAINT runs_state_check,
    DROP CONSTRAINT runs_check,
    DROP CONSTRAINT runs_check1,
    ADD CONSTRAINT chk_runs_state
        CHECK (state IN ('waiting', 'running', 'approval', 'answered', 'refused', 'failed', 'stopped')),
    -- One that waits for an approval is due when that expires.
    ADD CONSTRAINT chk_runs_due CHECK ((due_at IS NULL) = (state NOT IN ('waiting', 'running', 'approval'))),
    ADD CONSTRAINT chk_runs_ended CHECK ((ended_at IS NULL) = (state IN ('waiting', 'running', 'approval')));

-- Turns of a model that asked for tools, until the run ends: whoever goes on with the run asks for the same.
CREATE TABLE agents.turns (
    run_id  BIGINT  NOT NULL REFERENCES agents.runs (id) ON DELETE CASCADE,
    turn    INTEGER NOT NULL,
    content TEXT    NOT NULL,
    -- JSON, as text: it may hold escaped characters that JSONB does not take.
    calls   TEXT    NOT NULL,
    PRIMARY KEY (run_id, turn)
);

-- Calls of tools that change something.
CREATE TABLE agents.actions (
    id         BIGINT      PRIMARY KEY,
    run_id     BIGINT      NOT NULL REFERENCES agents.runs (id) ON DELETE CASCADE,
    turn       INTEGER     NOT NULL,
    position   INTEGER     NOT NULL,
    tool       VARCHAR(60) NOT NULL,
    -- The arguments as they are shown and sent: one JSON object.
    input      TEXT        NOT NULL,
    title      TEXT        NOT NULL,
    -- A small one is carried out without asking; one is refused that cannot be carried out or asked for.
    state      VARCHAR(10) NOT NULL
        CHECK (state IN ('small', 'open', 'approved', 'rejected', 'overdue', 'withdrawn', 'refused')),
    comment    TEXT        NOT NULL DEFAULT '',
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ,
    decided_at TIMESTAMPTZ,
    -- When it was first about to be carried out, and when its answer was noted.
    started_at TIMESTAMPTZ,
    ended_at   TIMESTAMPTZ,
    answer     TEXT,
    failed     BOOLEAN     NOT NULL DEFAULT false,
    -- The post that it made.
    post_id    BIGINT,
    UNIQUE (run_id, turn, position),
    CHECK ((ended_at IS NULL) = (answer IS NULL)),
    CHECK (state <> 'open' OR expires_at IS NOT NULL)
);
CREATE INDEX idx_actions_post_id ON agents.actions (post_id) WHERE post_id IS NOT NULL;
CREATE INDEX idx_actions_under_way ON agents.actions (run_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;

-- The inbox is told as of approvals of sagas, of one after the other in one partition.
CREATE FUNCTION agents.tell_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    told agents.actions;
    hex  TEXT;
BEGIN
    IF TG_OP = 'DELETE' THEN
        told := OLD;
        told.state := 'withdrawn';
    ELSE
        told := NEW;
    END IF;
    hex := lpad(upper(to_hex(told.id)), 16, '0');
    PERFORM platform.append_events(
        ARRAY[((told.id >> 20) & 255)::smallint],
        ARRAY[jsonb_build_object(
            'type', CASE TG_OP WHEN 'INSERT' THEN 'approval-requested' ELSE 'approval-closed' END,
            'approvalId', hex, 'title', told.title, 'path', '/agents/approvals/' || hex, 'state', told.state,
            'users', CASE TG_OP
                WHEN 'INSERT' THEN (
                    SELECT jsonb_build_array(lpad(upper(to_hex(r.caller_id)), 16, '0'))
                    FROM agents.runs AS r WHERE r.id = told.run_id)
                ELSE '[]' END)]);
    RETURN NULL;
END
$$;
CREATE TRIGGER approval_requested AFTER INSERT ON agents.actions
    FOR EACH ROW WHEN (NEW.state = 'open') EXECUTE FUNCTION agents.tell_approval();
CREATE TRIGGER approval_closed AFTER UPDATE OF state ON agents.actions
    FOR EACH ROW WHEN (OLD.state = 'open' AND NEW.state <> 'open') EXECUTE FUNCTION agents.tell_approval();
-- An agent or a caller is deleted with all runs.
CREATE TRIGGER approval_deleted AFTER DELETE ON agents.actions
    FOR EACH ROW WHEN (OLD.state = 'open') EXECUTE FUNCTION agents.tell_approval();

-- A run that has ended asks for nothing any more.
CREATE FUNCTION agents.close_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE agents.actions SET state = 'withdrawn' WHERE run_id = NEW.id AND state = 'open';
    DELETE FROM agents.turns WHERE run_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER close_run AFTER UPDATE OF state ON agents.runs
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION agents.close_run();
