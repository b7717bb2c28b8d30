-- Keys that all nodes share and nobody configures; made at random by whichever node needs one first.
CREATE TABLE platform.secrets (
    name  text  PRIMARY KEY,
    value bytea NOT NULL
);

-- The answers to POSTs that carried an Idempotency-Key. A row without a status is an act under way outside a
-- transaction: it belongs to the holder of `lease` until `leased_until`, after which a repeat may take it over.
CREATE TABLE platform.idempotency_keys (
    caller           text        NOT NULL,
    key              text        NOT NULL,
    request_hash     text        NOT NULL,
    status           integer,
    response_headers text        NOT NULL DEFAULT '{}',
    response_body    text        NOT NULL DEFAULT '',
    lease            bigint      NOT NULL DEFAULT 0,
    leased_until     timestamptz,
    created_at       timestamptz NOT NULL,
    PRIMARY KEY (caller, key)
);

CREATE INDEX idempotency_keys_created_at ON platform.idempotency_keys (created_at);

-- Token buckets that all nodes share. The id is a hash, since the names hold addresses of people.
CREATE TABLE platform.throttles (
    id         text   PRIMARY KEY,
    state      bytea,
    expires_at bigint
) WITH (fillfactor = 70);

CREATE INDEX throttles_expires_at ON platform.throttles (expires_at);

-- One row a worker number. Whoever holds it may issue ids up to ceiling_ms and no further; the next holder starts
-- above that, so ids stay unique whatever the clocks and pauses of either do.
CREATE TABLE platform.id_workers (
    worker     SMALLINT PRIMARY KEY CHECK (worker BETWEEN 0 AND 255),
    holder     UUID,
    ceiling_ms BIGINT NOT NULL DEFAULT 0,
    expires_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'
);

INSERT INTO platform.id_workers (worker) SELECT generate_series(0, 255);

-- Event ids are drawn from one sequence, whose order is the order in which they were drawn, whatever any node's clock
-- says. Its value is moved along with time (platform.advance_event_clock), so that an id also tells its moment:
-- milliseconds since 1970 in the upper 44 bits.
CREATE SEQUENCE platform.event_ids AS BIGINT CACHE 1;
SELECT setval('platform.event_ids', (extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20);

CREATE TABLE platform.event_logs (
    partition_id SMALLINT NOT NULL CHECK (partition_id BETWEEN 0 AND 255),
    event_id     BIGINT NOT NULL,
    payload      JSONB NOT NULL,
    PRIMARY KEY (partition_id, event_id),
    UNIQUE (event_id)
);

CREATE TABLE platform.event_log_cursors (
    consumer      VARCHAR(50) NOT NULL,
    partition_id  SMALLINT NOT NULL,
    last_event_id BIGINT NOT NULL DEFAULT 0,
    updated_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, partition_id)
);

-- Events are appended and swept, cursors are updated all the time: vacuum both early.
ALTER TABLE platform.event_logs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE platform.event_log_cursors SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Appends events. Before it draws its first id, a transaction takes a shared lock whose key is the last id drawn by
-- anyone (with bit 62 set): all its ids will be larger. As long as the lock is there, readers stay below its key; see
-- platform.event_horizon. The lock ends with the transaction, after its rows have become visible.
CREATE FUNCTION platform.append_events(partitions SMALLINT[], payloads JSONB[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    drawn BIGINT;
BEGIN
    IF coalesce(current_setting('hiroba.event_lock', true), '') = '' THEN
        SELECT last_value INTO drawn FROM platform.event_ids;
        PERFORM pg_advisory_xact_lock_shared((1::bigint << 62) | drawn);
        PERFORM set_config('hiroba.event_lock', 'held', true);
    END IF;
    INSERT INTO platform.event_logs (partition_id, event_id, payload)
    SELECT partition_id, nextval('platform.event_ids'), payload
    FROM unnest(partitions, payloads) AS t (partition_id, payload);
END
$$;

-- The id up to which nothing can appear any more: every event at or below it is visible to the next statement, or its
-- transaction was rolled back. The order of the two reads matters: whoever drew an id up to `drawn` either holds its
-- lock at the second read, or has ended before it. An exclusive lock of somebody else whose key happens to look like
-- one of ours does not count.
CREATE FUNCTION platform.event_horizon(OUT horizon BIGINT, OUT drawn BIGINT)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    oldest BIGINT;
BEGIN
    SELECT last_value INTO drawn FROM platform.event_ids;
    SELECT min((classid::bigint & ((1::bigint << 30) - 1)) << 32 | objid::bigint) INTO oldest
    FROM pg_locks
    WHERE locktype = 'advisory'
      AND mode = 'ShareLock'
      AND objsubid = 1
      AND classid::bigint >> 30 = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
    horizon := least(drawn, oldest);
END
$$;

-- The partition of a recipient, for events that the database itself appends: what a cascade does, only a trigger knows.
-- The same mixing as Partitions.of, in numeric because BIGINT does not wrap around.
CREATE FUNCTION platform.event_partition(recipient BIGINT) RETURNS SMALLINT
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    modulus CONSTANT NUMERIC := 18446744073709551616;
    half    CONSTANT NUMERIC := 9223372036854775808;
    n       NUMERIC;
    z       BIGINT;
BEGIN
    n := (recipient + 11400714819323198485::numeric + modulus) % modulus;
    z := CASE WHEN n >= half THEN n - modulus ELSE n END;
    z := z # ((z >> 30) & ((1::bigint << 34) - 1));
    n := (((z + modulus) % modulus) * 13787848793156543929::numeric) % modulus;
    z := CASE WHEN n >= half THEN n - modulus ELSE n END;
    z := z # ((z >> 27) & ((1::bigint << 37) - 1));
    n := (((z + modulus) % modulus) * 10723151780598845931::numeric) % modulus;
    z := CASE WHEN n >= half THEN n - modulus ELSE n END;
    RETURN (z # (z >> 31)) & 255;
END
$$;

-- Moves the sequence to the present. Ids drawn between the read and setval lie below the new value, because it is at
-- least half a second, 500 million ids, ahead of the old one.
CREATE FUNCTION platform.advance_event_clock() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    present BIGINT;
BEGIN
    PERFORM pg_advisory_xact_lock(7164200417);
    present := (extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20;
    IF present - (SELECT last_value FROM platform.event_ids) >= 500::bigint << 20 THEN
        PERFORM setval('platform.event_ids', present);
    END IF;
END
$$;

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
