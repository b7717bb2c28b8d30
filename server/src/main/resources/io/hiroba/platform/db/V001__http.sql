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
