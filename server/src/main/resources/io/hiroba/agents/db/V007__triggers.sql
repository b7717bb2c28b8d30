-- Agents that are woken for somebody by the clock and by items of their inbox (ADR 136).
ALTER TABLE agents.agents
    DROP CONSTRAINT chk_agents_wake,
    ADD CONSTRAINT chk_agents_wake CHECK (wake <@ '{mention,reply,message,step,schedule,inbox,query}');
-- One that answers whatever there is goes on to do so.
UPDATE agents.agents SET wake = wake || '{schedule,inbox,query}'::varchar[] WHERE wake @> '{mention,reply,message,step}';

ALTER TABLE agents.runs
    DROP CONSTRAINT chk_runs_woken_by,
    ADD CONSTRAINT chk_runs_woken_by
        CHECK (woken_by IN ('mention', 'reply', 'message', 'step', 'schedule', 'inbox', 'query')),
    DROP CONSTRAINT chk_runs_thread,
    ADD CONSTRAINT chk_runs_thread CHECK ((thread_id IS NULL) = (woken_by IN ('mention', 'reply', 'step')));

-- Each sends its owner's prompt to the agent as a direct message of theirs.
CREATE TABLE agents.triggers (
    id         BIGINT        PRIMARY KEY,
    agent_id   BIGINT        NOT NULL REFERENCES agents.agents (user_id) ON DELETE CASCADE,
    owner_id   BIGINT        NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    kind       VARCHAR(10)   NOT NULL CHECK (kind IN ('schedule', 'inbox', 'query')),
    prompt     VARCHAR(4000) NOT NULL,
    -- Of a schedule: when on these days (ISO, Monday is 1), and where.
    at_time    TIME,
    days       SMALLINT[],
    time_zone  VARCHAR(50),
    due_at     TIMESTAMPTZ,
    -- How often it sent something on a day (UTC).
    day        DATE,
    fired      INTEGER       NOT NULL DEFAULT 0,
    last_at    TIMESTAMPTZ,
    -- Why the last one sent nothing.
    failure    VARCHAR(30),
    created_at TIMESTAMPTZ   NOT NULL DEFAULT now(),
    CHECK (num_nulls(at_time, days, time_zone, due_at) = CASE kind WHEN 'schedule' THEN 0 ELSE 4 END)
);
CREATE INDEX idx_triggers_due_at ON agents.triggers (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX idx_triggers_owner_id ON agents.triggers (owner_id, kind);
CREATE INDEX idx_triggers_agent_id ON agents.triggers (agent_id);

-- The messages that triggers sent, and the items that they are about.
CREATE TABLE agents.trigger_messages (
    message_id BIGINT      PRIMARY KEY,
    trigger_id BIGINT      NOT NULL REFERENCES agents.triggers (id) ON DELETE CASCADE,
    item_id    BIGINT,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX idx_trigger_messages_trigger_id ON agents.trigger_messages (trigger_id);
CREATE INDEX idx_trigger_messages_created_at ON agents.trigger_messages (created_at);
