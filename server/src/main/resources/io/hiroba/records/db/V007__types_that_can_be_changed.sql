-- Types of attributes can be changed. docs/adr/0103-changes-of-types.md says how.

-- Changes of types: under way, and those that were made, since history is under the ids of before.
CREATE TABLE records.retypes (
    id           BIGINT      PRIMARY KEY,
    project_id   BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id    SMALLINT    NOT NULL,
    -- The attribute whose values are converted, and the one that gets them and then its name.
    from_attr    SMALLINT    NOT NULL,
    to_attr      SMALLINT    NOT NULL,
    from_type    TEXT        NOT NULL,
    to_type      TEXT        NOT NULL,
    -- Whether a value that cannot be converted is left out; otherwise the change is refused.
    clears       BOOLEAN     NOT NULL,
    state        TEXT        NOT NULL CHECK (state IN ('RUNNING', 'DONE', 'FAILED', 'CANCELLED', 'UNDONE')),
    -- How many records there were, how many were looked at up to which one, and how many values could not be converted.
    total        BIGINT      NOT NULL,
    seen         BIGINT      NOT NULL DEFAULT 0,
    position     UUID,
    failed       BIGINT      NOT NULL DEFAULT 0,
    -- The first of these: [{row, value, reason}, …].
    failures     JSONB       NOT NULL DEFAULT '[]',
    -- Why it came to nothing.
    failure      TEXT,
    created_by   BIGINT      NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    ended_at     TIMESTAMPTZ,
    -- Whoever works on it names the fence that it was claimed with; claimed again, it is a higher one.
    fence        INT         NOT NULL DEFAULT 0,
    leased_until TIMESTAMPTZ,
    -- Claims since anything was last committed.
    attempts     INT         NOT NULL DEFAULT 0,
    UNIQUE (project_id, schema_id, to_attr)
);

-- One at a time in a schema.
CREATE UNIQUE INDEX retypes_running_idx ON records.retypes (project_id, schema_id) WHERE state = 'RUNNING';

-- A document with another value at a place, which may be behind its end.
CREATE FUNCTION records.with_value(doc JSONB, place INT, value JSONB) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN jsonb_array_length(doc) > place THEN jsonb_set(doc, ARRAY[CAST(place AS text)], value)
        ELSE doc
            || coalesce((SELECT jsonb_agg(CAST(NULL AS text)) FROM generate_series(jsonb_array_length(doc), place - 1)), '[]')
            || jsonb_build_array(value)
    END
$$;

-- Has the history of a project's records leave out what is no new version of a record: a conversion.
CREATE FUNCTION records.admit_conversions(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $admit$
DECLARE
    before TEXT;
    after  TEXT;
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    before := pg_get_functiondef(CAST(format('records.%I()', 'changed_' || suffix) AS regprocedure));
    after := replace(
        before,
        'JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id',
        'JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id AND o.version <> n.version');
    IF after = before THEN
        RAISE EXCEPTION 'the history of % is written by something else', suffix;
    END IF;
    EXECUTE after;
END
$admit$;

ALTER FUNCTION records.make_tables(TEXT) RENAME TO make_tables_of_moments;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $make$
BEGIN
    PERFORM records.make_tables_of_moments(suffix);
    PERFORM records.admit_conversions(suffix);
END
$make$;

SELECT records.admit_conversions(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';
