-- What calls of a service are sent with as Authorization, encrypted (ADR 75). Only to its origin: a service that moves to another
-- host, port or scheme does not take it along.
CREATE TABLE saga.service_credentials (
    service    VARCHAR(255)  COLLATE "C" PRIMARY KEY,
    origin     VARCHAR(2000) NOT NULL,
    kind       VARCHAR(10)   NOT NULL CHECK (kind IN ('bearer', 'basic')),
    secret     BYTEA         NOT NULL,
    updated_by VARCHAR(255)  NOT NULL,
    updated_at TIMESTAMPTZ   NOT NULL DEFAULT now()
);

-- The keys that calls of a service are signed with, encrypted: at most two, so that one can take the place of the other.
CREATE TABLE saga.signing_keys (
    service    VARCHAR(255) COLLATE "C" NOT NULL,
    slot       SMALLINT     NOT NULL CHECK (slot IN (1, 2)),
    id         VARCHAR(16)  NOT NULL UNIQUE,
    secret     BYTEA        NOT NULL,
    created_by VARCHAR(255) NOT NULL,
    created_at TIMESTAMPTZ  NOT NULL DEFAULT now(),
    PRIMARY KEY (service, slot)
);
