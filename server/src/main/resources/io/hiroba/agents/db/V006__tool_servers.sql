-- Servers elsewhere that speak the Model Context Protocol, and those of their tools that agents may use (ADR 135).
CREATE TABLE agents.tool_servers (
    id         BIGINT        PRIMARY KEY,
    -- It begins the names of the tools, so it never changes.
    name       VARCHAR(20)   NOT NULL UNIQUE CHECK (name ~ '^[a-z][a-z0-9-]*$'),
    url        VARCHAR(2000) NOT NULL,
    enabled    BOOLEAN       NOT NULL DEFAULT true,
    created_at TIMESTAMPTZ   NOT NULL DEFAULT now(),
    -- When its tools were asked for last, and why that failed.
    listed_at  TIMESTAMPTZ,
    failure    VARCHAR(30)
);

-- Encrypted, and sent to this origin alone: another address needs it to be given again.
CREATE TABLE agents.tool_server_credentials (
    server_id BIGINT       PRIMARY KEY REFERENCES agents.tool_servers (id) ON DELETE CASCADE,
    origin    VARCHAR(300) NOT NULL,
    header    VARCHAR(60)  NOT NULL,
    secret    BYTEA        NOT NULL
);

CREATE TABLE agents.server_tools (
    -- As agents call it.
    name        VARCHAR(60)  PRIMARY KEY,
    server_id   BIGINT       NOT NULL REFERENCES agents.tool_servers (id) ON DELETE CASCADE,
    remote_name VARCHAR(200) NOT NULL,
    -- Canonical JSON, as text: it may hold escaped characters that JSONB does not take.
    definition  TEXT         NOT NULL,
    -- Whether the server had it when it was asked last.
    listed      BOOLEAN      NOT NULL DEFAULT true,
    -- The definition that an admin allowed; one that is not the same any more is not used.
    allowed     TEXT,
    effect      VARCHAR(10)  NOT NULL DEFAULT 'approval' CHECK (effect IN ('reads', 'small', 'approval'))
);
CREATE INDEX idx_server_tools_server_id ON agents.server_tools (server_id, name);
