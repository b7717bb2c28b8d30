DROP TRIGGER close_run ON agents.runs;
DROP FUNCTION agents.close_run();
DROP TABLE agents.actions;
DROP FUNCTION agents.tell_approval();
DROP TABLE agents.turns;
UPDATE agents.runs SET state = 'waiting', due_at = now() WHERE state = 'approval';
ALTER TABLE agents.runs
    DROP CONSTRAINT chk_runs_state,
    DROP CONSTRAINT chk_runs_due,
    DROP CONSTRAINT chk_runs_ended,
    ADD CONSTRAINT runs_state_check
        CHECK (state IN ('waiting', 'running', 'answered', 'refused', 'failed', 'stopped')),
    ADD CONSTRAINT runs_check CHECK ((due_at IS NULL) = (state NOT IN ('waiting', 'running'))),
    ADD CONSTRAINT runs_check1 CHECK ((ended_at IS NULL) = (state IN ('waiting', 'running')));
