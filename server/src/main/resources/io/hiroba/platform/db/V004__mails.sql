-- Mails to send, and those of the last days. A mail waits until it is sent, failed for good, or was only counted.
-- All moments are the database's, so that nodes with different clocks agree on leases and limits.
CREATE TABLE platform.mails (
    id               BIGINT PRIMARY KEY,
    to_address       TEXT NOT NULL,
    to_domain        TEXT NOT NULL GENERATED ALWAYS AS (split_part(to_address, '@', -1)) STORED,
    subject          TEXT NOT NULL,
    body             TEXT NOT NULL,
    html             TEXT,
    list_unsubscribe TEXT,
    created_at       TIMESTAMPTZ NOT NULL,
    not_before       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ,
    attempts         SMALLINT NOT NULL DEFAULT 0,
    claimed_until    TIMESTAMPTZ,
    sent_at          TIMESTAMPTZ,
    failed_at        TIMESTAMPTZ,
    withheld         BOOLEAN NOT NULL DEFAULT false,
    waiting          BOOLEAN NOT NULL GENERATED ALWAYS AS (sent_at IS NULL AND failed_at IS NULL AND NOT withheld) STORED,
    error            TEXT,
    CHECK (sent_at IS NULL OR failed_at IS NULL)
);

-- The queue.
CREATE INDEX mails_due ON platform.mails (not_before, id) WHERE waiting;
-- What administrators look at.
CREATE INDEX mails_recent ON platform.mails (id) WHERE NOT withheld;
-- The limits, and the sweep.
CREATE INDEX mails_by_address ON platform.mails (lower(to_address), created_at);
CREATE INDEX mails_by_domain ON platform.mails (to_domain, created_at);
CREATE INDEX mails_by_time ON platform.mails (created_at);

ALTER TABLE platform.mails SET (autovacuum_vacuum_scale_factor = 0.05);
