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
    -- The same page by the walk that everybody has, and by this index.
    walk_ms       DOUBLE PRECISION,
    index_ms      DOUBLE PRECISION,
    -- Scans since it was made. pg_stat starts again after a crash: what it said last tells what is new.
    scans         BIGINT      NOT NULL DEFAULT 0,
    seen_scans    BIGINT      NOT NULL DEFAULT 0,
    used_at       TIMESTAMPTZ,
    PRIMARY KEY (project_id, name)
);

CREATE INDEX hot_indexes_work_idx ON records.hot_indexes (asked_at) WHERE state <> 'READY';
