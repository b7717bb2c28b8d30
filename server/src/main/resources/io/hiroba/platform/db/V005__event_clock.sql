-- The clock of event ids is moved by whoever appends, instead of by every node once a second: a database in which nothing
-- happens is left alone.

-- Moves the sequence to the present. Ids drawn between the read and setval lie below the new value, because it is at
-- least half a second, 500 million ids, ahead of the old one. Only one session does so at a time; another one goes on with
-- the ids there are. The lock is given back at once, since the caller's transaction may take long.
CREATE OR REPLACE FUNCTION platform.advance_event_clock() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    present BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20;
BEGIN
    IF present - (SELECT last_value FROM platform.event_ids) >= 500::bigint << 20
       AND pg_try_advisory_lock(7164200417) THEN
        IF present - (SELECT last_value FROM platform.event_ids) >= 500::bigint << 20 THEN
            PERFORM setval('platform.event_ids', present);
        END IF;
        PERFORM pg_advisory_unlock(7164200417);
    END IF;
END
$$;

-- The program learns by a notice which partitions have new events and of which types, as `12-like`, also of those that
-- triggers append: a type that is no plain word is left out, and `*` stands for many.
CREATE OR REPLACE FUNCTION platform.append_events(partitions SMALLINT[], payloads JSONB[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    drawn BIGINT;
    keys TEXT;
BEGIN
    PERFORM platform.advance_event_clock();
    IF coalesce(current_setting('hiroba.event_lock', true), '') = '' THEN
        SELECT last_value INTO drawn FROM platform.event_ids;
        PERFORM pg_advisory_xact_lock_shared((1::bigint << 62) | drawn);
        PERFORM set_config('hiroba.event_lock', 'held', true);
    END IF;
    INSERT INTO platform.event_logs (partition_id, event_id, payload)
    SELECT partition_id, nextval('platform.event_ids'), payload
    FROM unnest(partitions, payloads) AS t (partition_id, payload);
    SELECT CASE WHEN count(*) > 100 THEN '*' ELSE string_agg(key, ',') END INTO keys
    FROM (SELECT DISTINCT
              partition_id || CASE WHEN payload ->> 'type' ~ '^[0-9A-Za-z-]{1,40}$' THEN '-' || (payload ->> 'type') ELSE '' END
          FROM unnest(partitions, payloads) AS t (partition_id, payload)) AS k (key);
    RAISE NOTICE USING ERRCODE = 'HB001', MESSAGE = coalesce(keys, '*');
END
$$;
