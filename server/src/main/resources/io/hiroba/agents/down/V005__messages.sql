DROP TABLE agents.step_questions;
DELETE FROM agents.runs WHERE woken_by IN ('message', 'step');
ALTER TABLE agents.runs
    DROP CONSTRAINT chk_runs_thread,
    DROP COLUMN thread_id,
    DROP CONSTRAINT chk_runs_woken_by,
    ADD CONSTRAINT runs_woken_by_check CHECK (woken_by IN ('mention', 'reply'));
UPDATE agents.agents SET wake = array_remove(array_remove(wake, 'message'), 'step');
ALTER TABLE agents.agents
    DROP CONSTRAINT chk_agents_wake,
    ADD CONSTRAINT agents_wake_check CHECK (wake <@ '{mention,reply}');
