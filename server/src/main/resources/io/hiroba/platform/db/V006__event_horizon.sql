-- As before, but an exclusive advisory lock of somebody else whose key happens to look like a gate is none.
-- The id up to which nothing can appear any more: every event at or below it is visible to the next statement, or its
-- transaction was rolled back. The order of the two reads matters: whoever drew an id up to `drawn` either holds its
-- lock at the second read, or has ended before it.
CREATE OR REPLACE FUNCTION platform.event_horizon(OUT horizon BIGINT, OUT drawn BIGINT)
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
