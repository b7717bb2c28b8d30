-- Outgoing webhooks: addresses of other programs that are told of events (ADR 93).
CREATE TABLE webhooks.webhooks (
    id              BIGINT        PRIMARY KEY,
    user_id         BIGINT        NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    url             VARCHAR(2000) NOT NULL,
    events          VARCHAR(100)[] NOT NULL CHECK (cardinality(events) > 0),
    description     VARCHAR(200)  NOT NULL DEFAULT '',
    -- Whether it was made with the rights of an admin; one made with a token of few scopes was not.
    as_admin        BOOLEAN       NOT NULL DEFAULT false,
    -- The last event of the log before it was made.
    starts_after    BIGINT        NOT NULL,
    created_at      TIMESTAMPTZ   NOT NULL DEFAULT now(),
    updated_at      TIMESTAMPTZ   NOT NULL DEFAULT now(),
    disabled_at     TIMESTAMPTZ,
    disabled_by     VARCHAR(10)   CHECK (disabled_by IN ('owner', 'gone', 'failing')),
    -- The first failure since the last success.
    failing_since   TIMESTAMPTZ,
    last_success_at TIMESTAMPTZ,
    -- Events after the one and up to the other are being delivered again.
    replay_after    BIGINT,
    replay_until    BIGINT,
    CHECK ((disabled_at IS NULL) = (disabled_by IS NULL)),
    CHECK ((replay_after IS NULL) = (replay_until IS NULL))
);
CREATE INDEX idx_webhooks_user_id ON webhooks.webhooks (user_id, id);
CREATE INDEX idx_webhooks_enabled ON webhooks.webhooks (id) WHERE disabled_at IS NULL;
CREATE INDEX idx_webhooks_replays ON webhooks.webhooks (id) WHERE replay_after IS NOT NULL;

-- The secrets that bodies are signed with, encrypted (ADR 75). A former one goes on for a while after a rotation.
CREATE TABLE webhooks.secrets (
    id         BIGINT      PRIMARY KEY,
    webhook_id BIGINT      NOT NULL REFERENCES webhooks.webhooks (id) ON DELETE CASCADE,
    secret     BYTEA       NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ
);
CREATE INDEX idx_secrets_webhook_id ON webhooks.secrets (webhook_id, id);

-- Deliveries: those that wait, and the log of the others, with the last attempt of each.
CREATE TABLE webhooks.deliveries (
    id           BIGINT       PRIMARY KEY,
    webhook_id   BIGINT       NOT NULL REFERENCES webhooks.webhooks (id) ON DELETE CASCADE,
    event_id     BIGINT       NOT NULL,
    type         VARCHAR(100) NOT NULL,
    key          VARCHAR(300) NOT NULL,
    -- Those of one queue are delivered in the order of their events: the key, or the delivery alone where it waits for no other.
    queue        VARCHAR(300) NOT NULL,
    status       VARCHAR(10)  NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
    attempts     INTEGER      NOT NULL DEFAULT 0,
    created_at   TIMESTAMPTZ  NOT NULL DEFAULT now(),
    attempted_at TIMESTAMPTZ,
    http_status  INTEGER,
    took_ms      INTEGER,
    request      TEXT,
    response     TEXT,
    error        VARCHAR(30)
);
CREATE INDEX idx_deliveries_webhook_id ON webhooks.deliveries (webhook_id, id);
CREATE UNIQUE INDEX idx_deliveries_pending ON webhooks.deliveries (webhook_id, queue, event_id) WHERE status = 'pending';

-- The queues that have pending deliveries. One that is claimed is due when the claim ends; the fence tells a claim that was lost.
CREATE TABLE webhooks.queues (
    webhook_id BIGINT       NOT NULL REFERENCES webhooks.webhooks (id) ON DELETE CASCADE,
    queue      VARCHAR(300) NOT NULL,
    due_at     TIMESTAMPTZ  NOT NULL,
    fence      BIGINT       NOT NULL DEFAULT 0,
    PRIMARY KEY (webhook_id, queue)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX idx_queues_due_at ON webhooks.queues (due_at);
