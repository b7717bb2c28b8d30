-- Typed records of any shape. docs/adr/0027-record-tables.md says where the tables differ from the design document and why.

CREATE TABLE records.projects (
    id         BIGINT PRIMARY KEY,
    -- Whose project it was made as. It stands in the names of the project's tables, so it never changes.
    client_id  BIGINT  NOT NULL,
    name       TEXT    NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- Whether indexes follow the use without anybody's consent.
    auto_index BOOLEAN NOT NULL DEFAULT false
);

CREATE TABLE records.members (
    project_id BIGINT NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    user_id    BIGINT NOT NULL REFERENCES accounts.users (id) ON DELETE CASCADE,
    role       TEXT   NOT NULL CHECK (role IN ('VIEWER', 'EDITOR', 'OWNER')),
    PRIMARY KEY (project_id, user_id)
);

CREATE INDEX members_user_idx ON records.members (user_id, project_id);

-- A date as documents hold it, microseconds since 1970, as a moment. Exact, in any session's time zone.
CREATE FUNCTION records.moment(micros BIGINT) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT timestamptz '1970-01-01 00:00:00+00'
        + make_interval(hours => CAST(micros / 3600000000 AS int))
        + (micros % 3600000000) * interval '1 microsecond'
$$;

-- What two equal values have in common, however they are written: 1 and 1.0, or a text too long for an index.
CREATE FUNCTION records.unique_key(attr_id SMALLINT, value TEXT) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sha256(convert_to(
        CASE WHEN attr_id % 5 = 1 THEN CAST(trim_scale(CAST(value AS numeric)) AS text) ELSE value END, 'UTF8'))
$$;

CREATE FUNCTION records.keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an attribute keeps its id and its type for ever' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

-- Makes a project's tables. `suffix` is <base32(client_id)>_<project_id>.
CREATE FUNCTION records.make_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $make$
DECLARE
    -- Writes what documents hold to the tables that are searched and that keep promises.
    spread TEXT := $sql$
    INSERT INTO records."eav_@" (schema_id, row_id, attr_id, value_text, value_numeric, value_date, value_bool, value_jsonb)
    SELECT n.schema_id, n.row_id, a.attr_id,
           CASE WHEN a.attr_id % 5 = 0 THEN left(v.value, 500) END,
           CASE WHEN a.attr_id % 5 = 1 THEN CAST(v.value AS numeric) END,
           CASE WHEN a.attr_id % 5 = 2 THEN records.moment(CAST(v.value AS bigint)) END,
           CASE WHEN a.attr_id % 5 = 3 THEN CAST(v.value AS boolean) END,
           CASE WHEN a.attr_id % 5 = 4 THEN n.doc -> (a.attr_id / 5) END
    FROM came AS n
    JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id
    CROSS JOIN LATERAL (SELECT n.doc ->> (a.attr_id / 5) AS value) AS v
    WHERE v.value IS NOT NULL#;

    INSERT INTO records."unique_values_@" (schema_id, attr_id, value_key, row_id)
    SELECT n.schema_id, a.attr_id, records.unique_key(a.attr_id, v.value), n.row_id
    FROM came AS n
    JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.is_unique
    CROSS JOIN LATERAL (SELECT n.doc ->> (a.attr_id / 5) AS value) AS v
    WHERE v.value IS NOT NULL#;

    INSERT INTO records."links_@" (schema_id, row_id, attr_id, target_schema, target_row)
    SELECT n.schema_id, n.row_id, a.attr_id, a.target_schema, CAST(v.value AS uuid)
    FROM came AS n
    JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id AND a.target_schema IS NOT NULL
    CROSS JOIN LATERAL (SELECT n.doc ->> (a.attr_id / 5) AS value) AS v
    WHERE v.value IS NOT NULL#;
    $sql$;
    -- Of a document that was changed, only the values that are others now.
    if_changed TEXT := $sql$
      AND EXISTS (
          SELECT FROM gone AS o
          WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id
            AND o.doc -> (a.attr_id / 5) IS DISTINCT FROM n.doc -> (a.attr_id / 5))$sql$;
    ddl TEXT;
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    ddl := $ddl$

CREATE TABLE records."schemas_@" (
    schema_id SMALLINT PRIMARY KEY CHECK (schema_id >= 100),
    -- Goes up with every change of the schema or its rules: who compiled a query for another version does it again.
    version   INT      NOT NULL DEFAULT 1,
    rules     JSONB    NOT NULL DEFAULT '{}'
);

CREATE TABLE records."schema_registry_@" (
    schema_name TEXT COLLATE "C" PRIMARY KEY,
    schema_id   SMALLINT NOT NULL REFERENCES records."schemas_@" (schema_id),
    alias       BOOLEAN  NOT NULL DEFAULT false
);

CREATE UNIQUE INDEX "schema_registry_@_name_idx" ON records."schema_registry_@" (schema_id) WHERE NOT alias;

-- The id tells the type (attr_id % 5) and the value's place in a record's document (attr_id / 5).
CREATE TABLE records."attributes_@" (
    attr_id       SMALLINT NOT NULL CHECK (attr_id >= 0),
    schema_id     SMALLINT NOT NULL REFERENCES records."schemas_@" (schema_id),
    attr_name     TEXT COLLATE "C" NOT NULL,
    value_type    TEXT     NOT NULL CHECK (value_type IN ('text', 'numeric', 'date', 'bool', 'jsonb')),
    is_unique     BOOLEAN  NOT NULL DEFAULT false,
    -- The schema whose records this attribute refers to.
    target_schema SMALLINT REFERENCES records."schemas_@" (schema_id),
    -- All else that was said of it: required, default, enum, min, max, pattern, prefixSearch.
    options       JSONB    NOT NULL DEFAULT '{}',
    PRIMARY KEY (attr_id, schema_id),
    UNIQUE (schema_id, attr_name),
    CONSTRAINT "attributes_@_type" CHECK (
        value_type = (ARRAY['text', 'numeric', 'date', 'bool', 'jsonb'])[attr_id % 5 + 1])
);

-- Every record whole: its values in a JSON array, by their attributes' places. Dates are microseconds since 1970.
CREATE TABLE records."records_@" (
    row_id     UUID        NOT NULL,
    created_by BIGINT      NOT NULL,
    updated_by BIGINT      NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    version    INT         NOT NULL DEFAULT 1,
    schema_id  SMALLINT    NOT NULL REFERENCES records."schemas_@" (schema_id),
    doc        JSONB       NOT NULL CHECK (jsonb_typeof(doc) = 'array'),
    PRIMARY KEY (schema_id, row_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- For those who see only what they made.
CREATE INDEX "records_@_maker_idx" ON records."records_@" (schema_id, created_by, row_id);

-- The same values apart and typed, for the indexes. A text is here with its first 500 characters: an index takes no more.
-- Only the triggers below write here, with ids from attributes_@, where none ever goes: a foreign key's check of each value
-- would cost three times as much as the value itself.
CREATE TABLE records."eav_@" (
    row_id        UUID     NOT NULL,
    schema_id     SMALLINT NOT NULL,
    attr_id       SMALLINT NOT NULL,
    value_text    TEXT COLLATE "C",
    value_numeric NUMERIC,
    value_date    TIMESTAMPTZ,
    value_bool    BOOLEAN,
    value_jsonb   JSONB,
    PRIMARY KEY (schema_id, row_id, attr_id),
    CONSTRAINT "eav_@_one_value" CHECK (
        num_nonnulls(value_text, value_numeric, value_date, value_bool, value_jsonb) = 1),
    CONSTRAINT "eav_@_right_value" CHECK (
        CASE attr_id % 5
            WHEN 0 THEN value_text IS NOT NULL
            WHEN 1 THEN value_numeric IS NOT NULL
            WHEN 2 THEN value_date IS NOT NULL
            WHEN 3 THEN value_bool IS NOT NULL
            ELSE value_jsonb IS NOT NULL
        END)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

CREATE INDEX "eav_@_numeric_values_idx" ON records."eav_@" (schema_id, attr_id, value_numeric, row_id)
    WHERE value_numeric IS NOT NULL;
CREATE INDEX "eav_@_text_values_idx" ON records."eav_@" (schema_id, attr_id, value_text, row_id)
    WHERE value_text IS NOT NULL;
CREATE INDEX "eav_@_date_values_idx" ON records."eav_@" (schema_id, attr_id, value_date, row_id)
    WHERE value_date IS NOT NULL;
CREATE INDEX "eav_@_bool_values_idx" ON records."eav_@" (schema_id, attr_id, value_bool, row_id)
    WHERE value_bool IS NOT NULL;

CREATE TABLE records."unique_values_@" (
    schema_id SMALLINT NOT NULL,
    attr_id   SMALLINT NOT NULL,
    value_key BYTEA    NOT NULL,
    row_id    UUID     NOT NULL,
    CONSTRAINT "unique_values_@_pkey" PRIMARY KEY (schema_id, attr_id, value_key)
);

CREATE INDEX "unique_values_@_row_idx" ON records."unique_values_@" (schema_id, row_id);

-- Which record refers to which. The foreign key keeps a record that is referred to from going.
CREATE TABLE records."links_@" (
    schema_id     SMALLINT NOT NULL,
    row_id        UUID     NOT NULL,
    attr_id       SMALLINT NOT NULL,
    target_schema SMALLINT NOT NULL,
    target_row    UUID     NOT NULL,
    PRIMARY KEY (schema_id, row_id, attr_id),
    CONSTRAINT "links_@_target" FOREIGN KEY (target_schema, target_row)
        REFERENCES records."records_@" (schema_id, row_id)
);

CREATE INDEX "links_@_target_idx" ON records."links_@" (target_schema, target_row, schema_id, attr_id, row_id);

-- What a record's values were before each change. What they were made with follows from that, and costs nothing.
CREATE TABLE records."history_@" (
    schema_id SMALLINT    NOT NULL,
    row_id    UUID        NOT NULL,
    -- The version that the change led to.
    version   INT         NOT NULL,
    at        TIMESTAMPTZ NOT NULL,
    changed_by BIGINT     NOT NULL,
    deleted   BOOLEAN     NOT NULL DEFAULT false,
    -- Of a record that was deleted, who had made it.
    created_by BIGINT,
    -- {attr_id: [from, to]}; of a record that was deleted, {attr_id: [from, null]} of all its values.
    changes   JSONB       NOT NULL,
    PRIMARY KEY (schema_id, row_id, version)
);

CREATE TRIGGER kept BEFORE DELETE OR UPDATE OF attr_id, schema_id, value_type ON records."attributes_@"
    FOR EACH ROW EXECUTE FUNCTION records.keep();

CREATE FUNCTION records."added_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    @spread
    RETURN NULL;
END
$body$;

CREATE FUNCTION records."changed_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM records."eav_@" AS e
    USING gone AS o, came AS n
    WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
      AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);

    DELETE FROM records."unique_values_@" AS e
    USING gone AS o, came AS n
    WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
      AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);

    DELETE FROM records."links_@" AS e
    USING gone AS o, came AS n
    WHERE o.schema_id = n.schema_id AND o.row_id = n.row_id AND e.schema_id = o.schema_id AND e.row_id = o.row_id
      AND o.doc -> (e.attr_id / 5) IS DISTINCT FROM n.doc -> (e.attr_id / 5);

    @spread_changed

    INSERT INTO records."history_@" (schema_id, row_id, version, at, changed_by, changes)
    SELECT n.schema_id, n.row_id, n.version, n.updated_at, n.updated_by,
           jsonb_object_agg(a.attr_id, jsonb_build_array(o.doc -> (a.attr_id / 5), n.doc -> (a.attr_id / 5)))
    FROM came AS n
    JOIN gone AS o ON o.schema_id = n.schema_id AND o.row_id = n.row_id
    JOIN records."attributes_@" AS a ON a.schema_id = n.schema_id
    WHERE o.doc ->> (a.attr_id / 5) IS DISTINCT FROM n.doc ->> (a.attr_id / 5)
    GROUP BY n.schema_id, n.row_id, n.version, n.updated_at, n.updated_by;
    RETURN NULL;
END
$body$;

CREATE FUNCTION records."removed_@"() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM records."eav_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
    DELETE FROM records."unique_values_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
    DELETE FROM records."links_@" AS e USING gone AS o WHERE e.schema_id = o.schema_id AND e.row_id = o.row_id;
    RETURN NULL;
END
$body$;

CREATE TRIGGER added AFTER INSERT ON records."records_@" REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION records."added_@"();
CREATE TRIGGER changed AFTER UPDATE ON records."records_@" REFERENCING OLD TABLE AS gone NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION records."changed_@"();
CREATE TRIGGER removed AFTER DELETE ON records."records_@" REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION records."removed_@"();

$ddl$;
    ddl := replace(ddl, '@spread_changed', replace(spread, '#', if_changed));
    ddl := replace(ddl, '@spread', replace(spread, '#', ''));
    EXECUTE replace(ddl, '@', suffix);
END
$make$;

-- Takes a project's tables away, and all that is in them.
CREATE FUNCTION records.drop_tables(suffix TEXT) RETURNS void LANGUAGE plpgsql AS $drop$
BEGIN
    IF suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' THEN
        RAISE EXCEPTION 'no suffix of a project: %', suffix;
    END IF;
    EXECUTE replace($ddl$
        DROP TABLE records."history_@", records."links_@", records."unique_values_@", records."eav_@",
            records."records_@", records."attributes_@", records."schema_registry_@", records."schemas_@";
        DROP FUNCTION records."added_@"(), records."changed_@"(), records."removed_@"();
        $ddl$, '@', suffix);
END
$drop$;
