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
    IF coalesce(current_setting('hiroba.event_gate', true), '') = '' THEN
        SELECT last_value INTO drawn FROM platform.event_ids;
        PERFORM pg_advisory_xact_lock_shared((1::bigint << 62) | drawn);
        PERFORM set_config('hiroba.event_gate', 'passed', true);
    END IF;
    INSERT INTO platform.event_logs (partition_id, event_id, payload)
    SELECT partition_id, nextval('platform.event_ids'), payload
    FROM unnest(partitions, payloads) AS t (partition_id, payload);
END
$$;

-- The id up to which nothing can appear any more: every event at or below it is visible to the next statement, or its
-- transaction was rolled back. The order of the two reads matters: whoever drew an id up to `drawn` either holds its
-- lock at the second read, or has ended before it.
CREATE FUNCTION platform.event_horizon(OUT horizon BIGINT, OUT drawn BIGINT)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    oldest BIGINT;
BEGIN
    SELECT last_value INTO drawn FROM platform.event_ids;
    SELECT min((classid::bigint & ((1::bigint << 30) - 1)) << 32 | objid::bigint) INTO oldest
    FROM pg_locks
    WHERE locktype = 'advisory'
      AND objsubid = 1
      AND classid::bigint >> 30 = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
    horizon := least(drawn, oldest);
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
