-- Names of schemas and attributes can be changed. docs/adr/0099-schemas-that-can-be-changed.md says how.

-- The names that schemas and attributes had before. Each leads to what it named until its time is over.
CREATE TABLE records.former_names (
    project_id BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT    NOT NULL,
    -- The attribute whose name it was; -1 for the schema itself.
    attr_id    SMALLINT    NOT NULL DEFAULT -1,
    name       TEXT COLLATE "C" NOT NULL,
    since      TIMESTAMPTZ NOT NULL,
    until      TIMESTAMPTZ NOT NULL CHECK (until > since),
    PRIMARY KEY (project_id, schema_id, attr_id, name)
);

-- A name that attributes of a schema had leads to one of them.
CREATE UNIQUE INDEX former_names_attribute_idx ON records.former_names (project_id, schema_id, name) WHERE attr_id >= 0;
CREATE INDEX former_names_until_idx ON records.former_names (until);

-- Attributes that were removed and can be restored. Their rows in attributes_@ are called _<attr_id>, as no attribute can be.
CREATE TABLE records.removed_attributes (
    project_id BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT    NOT NULL,
    attr_id    SMALLINT    NOT NULL,
    name       TEXT        NOT NULL,
    removed_at TIMESTAMPTZ NOT NULL,
    until      TIMESTAMPTZ NOT NULL CHECK (until > removed_at),
    PRIMARY KEY (project_id, schema_id, attr_id)
);

CREATE INDEX removed_attributes_until_idx ON records.removed_attributes (until);

-- Adds to a project's tables what changes of schemas need.
CREATE FUNCTION records.extend_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $extend$
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    EXECUTE replace($ddl$
        -- What pages show in place of the name.
        ALTER TABLE records."schemas_@" ADD COLUMN title TEXT;
        -- The order in which they are shown; NULL for the one of their places.
        ALTER TABLE records."attributes_@" ADD COLUMN title TEXT, ADD COLUMN position SMALLINT;
        $ddl$, '@', suffix);
END
$extend$;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE OR REPLACE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $make$
BEGIN
    PERFORM records.make_first_tables(suffix);
    PERFORM records.note_changes(suffix);
    PERFORM records.extend_tables(suffix);
END
$make$;

SELECT records.extend_tables(substr(relname, length('records_') + 1))
FROM pg_class
WHERE relnamespace = 'records'::regnamespace AND relkind = 'r' AND relname ~ '^records_[a-z2-7]{13}_[0-9a-f]{16}$';
