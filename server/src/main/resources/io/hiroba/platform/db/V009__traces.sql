-- The span in which an event was appended, in the form of W3C's `traceparent`, where it is recorded; null otherwise, which takes no room
-- (ADR 137).
ALTER TABLE platform.event_logs ADD COLUMN traceparent VARCHAR(55);

-- As before, with the spans of the events: given, or that of the transaction, which says it in `hiroba.traceparent`. A statement that
-- names two arguments means this function as well.
DROP FUNCTION platform.append_events(SMALLINT[], JSONB[]);

CREATE FUNCTION platform.append_events(partitions SMALLINT[], payloads JSONB[], traceparents TEXT[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    drawn BIGINT;
    keys TEXT;
    own TEXT := nullif(current_setting('hiroba.traceparent', true), '');
BEGIN
    PERFORM platform.advance_event_clock();
    IF coalesce(current_setting('hiroba.event_lock', true), '') = '' THEN
        SELECT last_value INTO drawn FROM platform.event_ids;
        PERFORM pg_advisory_xact_lock_shared((1::bigint << 62) | drawn);
        PERFORM set_config('hiroba.event_lock', 'held', true);
    END IF;
    INSERT INTO platform.event_logs (partition_id, event_id, payload, traceparent)
    SELECT partition_id, nextval('platform.event_ids'), payload, coalesce(traceparent, own)
    FROM unnest(partitions, payloads, traceparents) AS t (partition_id, payload, traceparent);
    SELECT CASE WHEN count(*) > 100 THEN '*' ELSE string_agg(key, ',') END INTO keys
    FROM (SELECT DISTINCT
              partition_id || CASE WHEN payload ->> 'type' ~ '^[0-9A-Za-z-]{1,40}$' THEN '-' || (payload ->> 'type') ELSE '' END
          FROM unnest(partitions, payloads) AS t (partition_id, payload)) AS k (key);
    RAISE NOTICE USING ERRCODE = 'HB001', MESSAGE = coalesce(keys, '*');
END
$$;
