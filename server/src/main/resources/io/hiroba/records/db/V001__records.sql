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
    -- Writes what documents hold to the tables that are searched and that enforce constraints.
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
-- An index scan finds ids and looks up a record for each: that is most of what a page costs. A hash of the id leads there in
-- one page instead of a tree's three. docs/adr/0030-record-queries.md has the numbers.
CREATE INDEX "records_@_row_idx" ON records."records_@" USING hash (row_id);
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

-- Files on their way into schemas. docs/adr/0028-transfer.md says why nothing is lost or doubled.

CREATE TABLE records.imports (
    id           BIGINT PRIMARY KEY,
    project_id   BIGINT NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_name  TEXT   NOT NULL,
    created_by   BIGINT NOT NULL,
    -- Format, delimiter, time zone, what an error does, which column is which attribute.
    options      JSONB  NOT NULL,
    -- What the sender knows the file by, to go on with it another time.
    source       TEXT   NOT NULL DEFAULT '',
    state        TEXT   NOT NULL DEFAULT 'UPLOADING'
                 CHECK (state IN ('UPLOADING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    -- How large the file is, if the sender said so, and how much of it is here.
    size         BIGINT CHECK (size > 0),
    received     BIGINT NOT NULL DEFAULT 0,
    -- How far it is read: so many records of the file, up to this line and about so many bytes.
    position     BIGINT NOT NULL DEFAULT 0,
    line         BIGINT NOT NULL DEFAULT 0,
    bytes_read   BIGINT NOT NULL DEFAULT 0,
    -- What came of them.
    row_count    BIGINT NOT NULL DEFAULT 0,
    error_count  BIGINT NOT NULL DEFAULT 0,
    -- Why it came to nothing.
    failure      TEXT,
    -- Whoever works on it names the fence that it was claimed with; claimed again, it is a higher one.
    fence        INT    NOT NULL DEFAULT 0,
    leased_until TIMESTAMPTZ,
    -- Claims since anything was last committed.
    attempts     INT    NOT NULL DEFAULT 0,
    updated_at   TIMESTAMPTZ NOT NULL DEFAULT now(),
    ended_at     TIMESTAMPTZ
);

CREATE INDEX imports_project_idx ON records.imports (project_id, id DESC);
CREATE INDEX imports_running_idx ON records.imports (id) WHERE state = 'RUNNING';
CREATE INDEX imports_uploading_idx ON records.imports (updated_at) WHERE state = 'UPLOADING';

CREATE TABLE records.import_content (
    import_id BIGINT NOT NULL REFERENCES records.imports (id) ON DELETE CASCADE,
    -- Where in the file it begins.
    start     BIGINT NOT NULL,
    -- Read once, soon: not worth compressing.
    bytes     BYTEA STORAGE EXTERNAL NOT NULL,
    PRIMARY KEY (import_id, start)
);

CREATE TABLE records.import_errors (
    import_id BIGINT NOT NULL REFERENCES records.imports (id) ON DELETE CASCADE,
    number    INT    NOT NULL,
    line      BIGINT NOT NULL,
    -- Empty where the line as a whole is at fault.
    field     TEXT   NOT NULL,
    message   TEXT   NOT NULL,
    PRIMARY KEY (import_id, number)
);

-- Questions that members keep, and what they were told about.

CREATE TABLE records.saved_queries (
    id          BIGINT   PRIMARY KEY,
    project_id  BIGINT   NOT NULL,
    owner       BIGINT   NOT NULL,
    schema_id   SMALLINT NOT NULL,
    name        TEXT     NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- {schema, where, sort, select}
    query       JSONB    NOT NULL,
    -- Whether the owner is told of records that begin to match.
    notify      BOOLEAN  NOT NULL DEFAULT false,
    -- Whether all members see it.
    shared      BOOLEAN  NOT NULL DEFAULT false,
    updated_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- Whoever leaves takes their questions along.
    FOREIGN KEY (project_id, owner) REFERENCES records.members (project_id, user_id) ON DELETE CASCADE
);

CREATE INDEX saved_queries_owner_idx ON records.saved_queries (project_id, owner, id DESC);
CREATE INDEX saved_queries_shared_idx ON records.saved_queries (project_id, id DESC) WHERE shared;
CREATE INDEX saved_queries_notify_idx ON records.saved_queries (project_id, schema_id) WHERE notify;

-- The records that match a question whose owner is told, so that they are told once until it matches no more.
CREATE TABLE records.saved_matches (
    query_id BIGINT NOT NULL REFERENCES records.saved_queries (id) ON DELETE CASCADE,
    row_id   UUID   NOT NULL,
    PRIMARY KEY (query_id, row_id)
);

-- What the store knows of its values and of their use, and the indexes that follow the use.
-- docs/adr/0029-indexes-that-follow-use.md says why they are what they are.

-- When each schema was last looked through.
CREATE TABLE records.samples (
    project_id BIGINT           NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT         NOT NULL,
    -- How many records there are: counted, or of many concluded from the sample.
    row_count  DOUBLE PRECISION NOT NULL,
    sampled    INT              NOT NULL,
    -- What pg_stat had counted of changes to the project's records: so many more tell when to look again.
    changes    BIGINT           NOT NULL,
    taken_at   TIMESTAMPTZ      NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, schema_id)
);

CREATE TABLE records.statistics (
    project_id BIGINT           NOT NULL,
    schema_id  SMALLINT         NOT NULL,
    attr_id    SMALLINT         NOT NULL,
    -- The fraction of records that have a value.
    present    DOUBLE PRECISION NOT NULL,
    -- [[value, fraction], …] of the values met most often, as documents hold them.
    common     JSONB            NOT NULL,
    -- How many other values there are, and how they spread: as many records between each two of these.
    others     DOUBLE PRECISION NOT NULL,
    bounds     JSONB            NOT NULL,
    PRIMARY KEY (project_id, schema_id, attr_id),
    FOREIGN KEY (project_id, schema_id) REFERENCES records.samples (project_id, schema_id) ON DELETE CASCADE
);

-- How often attributes were asked for, a day a row.
CREATE TABLE records.attribute_use (
    project_id BIGINT   NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT NOT NULL,
    attr_id    SMALLINT NOT NULL,
    -- The attribute that was compared for equality while this one gave the order; -1 for the attribute by itself.
    equal_to   SMALLINT NOT NULL DEFAULT -1,
    day        DATE     NOT NULL,
    filtered   BIGINT   NOT NULL DEFAULT 0,
    sorted     BIGINT   NOT NULL DEFAULT 0,
    prefixed   BIGINT   NOT NULL DEFAULT 0,
    PRIMARY KEY (project_id, schema_id, attr_id, equal_to, day)
);

CREATE INDEX attribute_use_day_idx ON records.attribute_use (day);

-- Indexes on documents beyond those that every project has.
CREATE TABLE records.hot_indexes (
    project_id    BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    name          TEXT        NOT NULL CHECK (name ~ '^hot_[0-9a-z_]+$'),
    schema_id     SMALLINT    NOT NULL,
    -- Whose values are compared for equality before the order; NULL for none.
    equality_attr SMALLINT,
    order_attr    SMALLINT    NOT NULL,
    state         TEXT        NOT NULL CHECK (state IN ('WANTED', 'BUILDING', 'READY', 'FAILED', 'DROPPING')),
    reason        TEXT        NOT NULL,
    -- NULL if the use asked for it.
    asked_by      BIGINT,
    asked_at      TIMESTAMPTZ NOT NULL,
    ready_at      TIMESTAMPTZ,
    dropping_at   TIMESTAMPTZ,
    failure       TEXT,
    -- How often making it was broken off by something that may pass.
    attempts      INT         NOT NULL DEFAULT 0,
    -- The same page by the built-in index scan, and by this index.
    baseline_ms       DOUBLE PRECISION,
    index_ms      DOUBLE PRECISION,
    -- Scans since it was made. pg_stat starts again after a crash: what it said last tells what is new.
    scans         BIGINT      NOT NULL DEFAULT 0,
    seen_scans    BIGINT      NOT NULL DEFAULT 0,
    used_at       TIMESTAMPTZ,
    PRIMARY KEY (project_id, name)
);

CREATE INDEX hot_indexes_work_idx ON records.hot_indexes (asked_at) WHERE state <> 'READY';
