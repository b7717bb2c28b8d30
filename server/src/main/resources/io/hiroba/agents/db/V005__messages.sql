-- Agents that are woken by direct messages (ADR 126).
ALTER TABLE agents.agents
    DROP CONSTRAINT agents_wake_check,
    ADD CONSTRAINT chk_agents_wake CHECK (wake <@ '{mention,reply,message}');
-- One that answers whatever there is goes on to do so.
UPDATE agents.agents SET wake = wake || '{message}'::varchar[] WHERE wake @> '{mention,reply}';

ALTER TABLE agents.runs
    DROP CONSTRAINT runs_woken_by_check,
    ADD CONSTRAINT chk_runs_woken_by CHECK (woken_by IN ('mention', 'reply', 'message')),
    -- The thread of the message, whose id stands in post_id, and of the answer, whose id stands in reply_id.
    ADD COLUMN thread_id BIGINT,
    ADD CONSTRAINT chk_runs_thread CHECK ((thread_id IS NOT NULL) = (woken_by = 'message'));
