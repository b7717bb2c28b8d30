-- Agents and their runs (ADR 105). Name, model and personality of an agent are those of its account.
CREATE TABLE agents.agents (
    user_id      BIGINT         PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    instructions VARCHAR(20000) NOT NULL DEFAULT '',
    tools        VARCHAR(60)[]  NOT NULL DEFAULT '{}',
    wake         VARCHAR(10)[]  NOT NULL CHECK (wake <@ '{mention,reply}'),
    -- Those who may call it; everybody if it is empty.
    callers      BIGINT[]       NOT NULL DEFAULT '{}',
    max_turns    INTEGER        NOT NULL CHECK (max_turns BETWEEN 1 AND 50),
    max_seconds  INTEGER        NOT NULL CHECK (max_seconds BETWEEN 1 AND 600),
    -- No bound if they are null.
    daily_tokens BIGINT         CHECK (daily_tokens >= 0),
    daily_cost   NUMERIC(12, 6) CHECK (daily_cost >= 0),
    enabled      BOOLEAN        NOT NULL DEFAULT true,
    created_at   TIMESTAMPTZ    NOT NULL DEFAULT now(),
    updated_at   TIMESTAMPTZ    NOT NULL DEFAULT now()
);

-- What woke an agent, and how that ended. A post wakes an agent once, however often its events are told.
CREATE TABLE agents.runs (
    id         BIGINT         PRIMARY KEY,
    agent_id   BIGINT         NOT NULL REFERENCES agents.agents (user_id) ON DELETE CASCADE,
    post_id    BIGINT         NOT NULL,
    caller_id  BIGINT         NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    woken_by   VARCHAR(10)    NOT NULL CHECK (woken_by IN ('mention', 'reply')),
    -- How many agents in a row answered one another before.
    depth      INTEGER        NOT NULL,
    state      VARCHAR(10)    NOT NULL
        CHECK (state IN ('waiting', 'running', 'answered', 'refused', 'failed', 'stopped')),
    reason     VARCHAR(30),
    reply_id   BIGINT,
    turns      INTEGER        NOT NULL DEFAULT 0,
    tokens_in  BIGINT         NOT NULL DEFAULT 0,
    tokens_out BIGINT         NOT NULL DEFAULT 0,
    cost       NUMERIC(18, 9) NOT NULL DEFAULT 0,
    attempts   INTEGER        NOT NULL DEFAULT 0,
    -- A claim that was lost has another fence. A claimed run is due when the claim ends, one that ended never.
    fence      BIGINT         NOT NULL DEFAULT 0,
    due_at     TIMESTAMPTZ,
    created_at TIMESTAMPTZ    NOT NULL DEFAULT now(),
    started_at TIMESTAMPTZ,
    ended_at   TIMESTAMPTZ,
    UNIQUE (agent_id, post_id),
    CHECK ((due_at IS NULL) = (state NOT IN ('waiting', 'running'))),
    CHECK ((ended_at IS NULL) = (state IN ('waiting', 'running')))
);
CREATE INDEX idx_runs_due_at ON agents.runs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX idx_runs_agent_id ON agents.runs (agent_id, id);
CREATE INDEX idx_runs_caller_id ON agents.runs (caller_id, agent_id, id);
CREATE INDEX idx_runs_post_id ON agents.runs (post_id);
CREATE UNIQUE INDEX idx_runs_reply_id ON agents.runs (reply_id) WHERE reply_id IS NOT NULL;

-- What models took on a day (UTC), by agent, by caller and in all, with what is reserved for calls under way.
CREATE TABLE agents.usage (
    day     DATE           NOT NULL,
    kind    VARCHAR(6)     NOT NULL CHECK (kind IN ('agent', 'all', 'caller')),
    subject BIGINT         NOT NULL,
    tokens  BIGINT         NOT NULL,
    cost    NUMERIC(18, 9) NOT NULL,
    PRIMARY KEY (day, kind, subject)
) WITH (fillfactor = 50);
