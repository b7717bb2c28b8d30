-- Agents that are woken by direct messages and by steps of sagas (ADR 126, 127).
ALTER TABLE agents.agents
    DROP CONSTRAINT agents_wake_check,
    ADD CONSTRAINT chk_agents_wake CHECK (wake <@ '{mention,reply,message,step}');
-- One that answers whatever there is goes on to do so.
UPDATE agents.agents SET wake = wake || '{message,step}'::varchar[] WHERE wake @> '{mention,reply}';

ALTER TABLE agents.runs
    DROP CONSTRAINT runs_woken_by_check,
    ADD CONSTRAINT chk_runs_woken_by CHECK (woken_by IN ('mention', 'reply', 'message', 'step')),
    -- The thread of the message, whose id stands in post_id, and of the answer, whose id stands in reply_id.
    ADD COLUMN thread_id BIGINT,
    ADD CONSTRAINT chk_runs_thread CHECK ((thread_id IS NOT NULL) = (woken_by = 'message'));

-- What a step of a saga asks, by the key that is the same for each attempt at it; the answer in the form that it wants.
CREATE TABLE agents.step_questions (
    run_id BIGINT       PRIMARY KEY REFERENCES agents.runs (id) ON DELETE CASCADE,
    key    VARCHAR(100) NOT NULL UNIQUE,
    prompt TEXT         NOT NULL,
    -- JSON, as text: it may hold escaped characters that JSONB does not take.
    form   TEXT         NOT NULL,
    answer TEXT
);
