-- The keys that secrets in this database are encrypted with, by their ids. The keys themselves are in a file that all nodes share; a
-- node whose file lacks one of these does not start (ADR 75). The one with the highest number encrypts.
CREATE TABLE platform.encryption_keys (
    id         TEXT        PRIMARY KEY,
    number     BIGINT      GENERATED ALWAYS AS IDENTITY UNIQUE,
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
