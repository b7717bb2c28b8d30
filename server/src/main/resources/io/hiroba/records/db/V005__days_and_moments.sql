-- A date is a day without a zone, a datetime a moment. Both are in the same columns and indexes: a day is stored as its midnight in
-- UTC. docs/adr/0100-days-and-moments.md says which of the dates that were there became what, and why.

-- Lets attributes of a project be datetimes. The remainder of an attribute's id still tells how its values are stored.
CREATE FUNCTION records.admit_moments(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $admit$
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    EXECUTE replace($ddl$
        ALTER TABLE records."attributes_@"
            DROP CONSTRAINT IF EXISTS "attributes_@_value_type_check",
            DROP CONSTRAINT IF EXISTS "attributes_@_type",
            ADD CONSTRAINT "attributes_@_type" CHECK (
                CASE attr_id % 5
                    WHEN 0 THEN value_type = 'text'
                    WHEN 1 THEN value_type = 'numeric'
                    WHEN 2 THEN value_type IN ('date', 'datetime')
                    WHEN 3 THEN value_type = 'bool'
                    ELSE value_type = 'jsonb'
                END);
        $ddl$, '@', suffix);
END
$admit$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_tables_of_dates;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $make$
BEGIN
    PERFORM records.make_tables_of_dates(suffix);
    PERFORM records.admit_moments(suffix);
END
$make$;

-- Dates that have a time anywhere, in a record, in the history or in the definition, go on as moments, so that nothing is lost.
CREATE FUNCTION records.split_dates(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $split$
BEGIN
    PERFORM records.admit_moments(suffix);
    EXECUTE replace($ddl$
        -- An attribute keeps its type otherwise, by a trigger.
        ALTER TABLE records."attributes_@" DISABLE TRIGGER USER;

        WITH moments AS (
            UPDATE records."attributes_@" AS a SET value_type = 'datetime'
            WHERE a.value_type = 'date' AND (
                EXISTS (
                    SELECT FROM records."eav_@" AS e
                    WHERE e.schema_id = a.schema_id AND e.attr_id = a.attr_id AND e.value_date IS NOT NULL
                      AND e.value_date <> date_trunc('day', e.value_date, 'UTC'))
                OR EXISTS (
                    SELECT FROM records."history_@" AS h
                    CROSS JOIN LATERAL jsonb_path_query(h.changes -> CAST(a.attr_id AS text), '$[*]') AS v (value)
                    WHERE h.schema_id = a.schema_id AND h.changes ? CAST(a.attr_id AS text)
                      AND jsonb_typeof(v.value) = 'number' AND CAST(v.value AS numeric) % 86400000000 <> 0)
                OR EXISTS (
                    SELECT FROM jsonb_path_query(
                        jsonb_build_array(a.options -> 'min', a.options -> 'max', a.options -> 'initial', a.options -> 'options'),
                        '$[*][*]') AS v (value)
                    WHERE jsonb_typeof(v.value) = 'number' AND CAST(v.value AS numeric) % 86400000000 <> 0))
            RETURNING a.schema_id)
        UPDATE records."schemas_@" AS s SET version = s.version + 1
        WHERE s.schema_id IN (SELECT m.schema_id FROM moments AS m);

        ALTER TABLE records."attributes_@" ENABLE TRIGGER USER;
        $ddl$, '@', suffix);
END
$split$;

SELECT records.split_dates(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';

DROP FUNCTION records.split_dates(TEXT);
