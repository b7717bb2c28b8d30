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
