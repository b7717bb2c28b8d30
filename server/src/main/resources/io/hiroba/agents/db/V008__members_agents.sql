-- Agents of members (ADR 141): the members who may make some, the models that these may run on, and whose an agent is.
ALTER TABLE agents.agents
    -- None for those of the admins.
    ADD COLUMN owner_id        BIGINT  REFERENCES accounts.users (id) ON DELETE CASCADE,
    -- A pause that its owner cannot end.
    ADD COLUMN paused_by_admin BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX idx_agents_owner_id ON agents.agents (owner_id) WHERE owner_id IS NOT NULL;
UPDATE agents.agents SET paused_by_admin = true WHERE paused;

-- What a tool of another server was when it was asked for: a call that was approved is not made with another one.
ALTER TABLE agents.actions ADD COLUMN tool_version VARCHAR(64) NOT NULL DEFAULT '';

CREATE TABLE agents.makers (
    user_id    BIGINT      PRIMARY KEY REFERENCES accounts.users (id) ON DELETE CASCADE,
    granted_by BIGINT      REFERENCES accounts.users (id) ON DELETE SET NULL,
    granted_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- How many agents they made on a day (UTC): each is an account, which stays when the agent is deleted.
    day        DATE,
    made       INTEGER     NOT NULL DEFAULT 0
);
CREATE INDEX idx_makers_granted_by ON agents.makers (granted_by) WHERE granted_by IS NOT NULL;

-- By name, as agents have them: one that is deleted and made anew is allowed still.
CREATE TABLE agents.member_models (
    name       VARCHAR(50) PRIMARY KEY,
    allowed_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
