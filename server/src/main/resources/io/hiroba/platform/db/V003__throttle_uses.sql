-- The uses of a limit within its period instead of a bucket that fills up again meanwhile: that let through nearly twice the
-- limit in the first period. What was counted before is forgotten once. The id is a hash, since the names hold addresses of people.
DROP TABLE platform.throttles;

CREATE TABLE platform.throttles (
    id         TEXT PRIMARY KEY,
    uses_ms    BIGINT[] NOT NULL,
    expires_ms BIGINT NOT NULL
) WITH (fillfactor = 70);
COMMENT ON COLUMN platform.throttles.uses_ms IS 'When it was used, in milliseconds, the earliest first; no more than the limit';

CREATE INDEX throttles_expires_ms ON platform.throttles (expires_ms);
