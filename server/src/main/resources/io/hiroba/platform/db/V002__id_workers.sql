-- One row a worker number. Whoever holds it may issue ids up to ceiling_ms and no further; the next holder starts
-- above that, so ids stay unique whatever the clocks and pauses of either do.
CREATE TABLE platform.id_workers (
    worker     SMALLINT PRIMARY KEY CHECK (worker BETWEEN 0 AND 255),
    holder     UUID,
    ceiling_ms BIGINT NOT NULL DEFAULT 0,
    expires_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'
);

INSERT INTO platform.id_workers (worker) SELECT generate_series(0, 255);
