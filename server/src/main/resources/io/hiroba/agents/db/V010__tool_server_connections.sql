-- Tokens of servers of tools that an authorization server gave (ADR 145). The secret is the whole of a grant, encrypted and bound to the
-- address that it is for.
CREATE TABLE agents.tool_server_connections (
    server_id    BIGINT        PRIMARY KEY REFERENCES agents.tool_servers (id) ON DELETE CASCADE,
    url          VARCHAR(2000) NOT NULL,
    issuer       VARCHAR(2000) NOT NULL,
    scope        VARCHAR(2000) NOT NULL,
    connected_by BIGINT        REFERENCES accounts.users (id) ON DELETE SET NULL,
    connected_at TIMESTAMPTZ   NOT NULL,
    -- When the access token is to be refreshed; null if nobody said how long it is good.
    refresh_at   TIMESTAMPTZ,
    -- Why it can be refreshed no more; it has to be connected again.
    failure      VARCHAR(60),
    secret       BYTEA         NOT NULL
);
CREATE INDEX idx_tool_server_connections_connected_by ON agents.tool_server_connections (connected_by);

-- Connections that somebody has begun and not come back from. Each is good once, in the session that began it.
CREATE TABLE agents.tool_server_attempts (
    -- The hash of the state.
    state      CHAR(64)    PRIMARY KEY,
    server_id  BIGINT      NOT NULL REFERENCES agents.tool_servers (id) ON DELETE CASCADE,
    user_id    BIGINT      NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    session_id BIGINT      NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    secret     BYTEA       NOT NULL
);
CREATE INDEX idx_tool_server_attempts_server_id ON agents.tool_server_attempts (server_id);
CREATE INDEX idx_tool_server_attempts_user_id ON agents.tool_server_attempts (user_id);
