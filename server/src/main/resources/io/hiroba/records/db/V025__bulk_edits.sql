-- Records that are deleted or changed by a condition, many at once. docs/adr/0150-bulk-edits-by-condition.md says how.
CREATE TABLE records.bulk_edits (
    id         BIGINT      PRIMARY KEY,
    project_id BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT    NOT NULL,
    operation  TEXT        NOT NULL CHECK (operation IN ('DELETE', 'UPDATE', 'UNDO')),
    -- The one that is undone.
    undoes     BIGINT      UNIQUE REFERENCES records.bulk_edits (id) ON DELETE CASCADE,
    -- As in queries; NULL for all records.
    condition  JSONB,
    -- The values that records get, by the names of attributes.
    changes    JSONB,
    state      TEXT        NOT NULL CHECK (state IN ('RUNNING', 'DONE', 'STOPPED', 'FAILED')),
    -- How many records matched when it was started, how many were written, and how many were refused.
    total      BIGINT      NOT NULL,
    written    BIGINT      NOT NULL DEFAULT 0,
    refused    BIGINT      NOT NULL DEFAULT 0,
    -- The first of these: [{row, reason}, …].
    refusals   JSONB       NOT NULL DEFAULT '[]',
    -- Records are taken from the newest to the oldest. The bound above which they came later, and the last that was taken.
    newest     UUID        NOT NULL,
    position   UUID        NOT NULL,
    -- How many were written since it went through the records from the newest.
    in_pass    BIGINT      NOT NULL DEFAULT 0,
    -- Why it failed.
    failure    TEXT,
    created_by BIGINT      NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    ended_at   TIMESTAMPTZ,
    -- When its last batch was written, so that several go on by turns.
    taken_at   TIMESTAMPTZ,
    -- After a failure.
    attempts   INT         NOT NULL DEFAULT 0,
    retry_at   TIMESTAMPTZ,
    CHECK ((operation = 'UNDO') = (undoes IS NOT NULL)),
    CHECK ((operation = 'UPDATE') = (changes IS NOT NULL))
);

CREATE INDEX bulk_edits_running_idx ON records.bulk_edits (taken_at NULLS FIRST, id) WHERE state = 'RUNNING';
CREATE INDEX bulk_edits_ended_idx ON records.bulk_edits (ended_at) WHERE ended_at IS NOT NULL;

-- What was written, with the versions that the records got, for a day: so long it can be undone.
CREATE TABLE records.bulk_edit_rows (
    edit_id BIGINT NOT NULL REFERENCES records.bulk_edits (id) ON DELETE CASCADE,
    row_id  UUID   NOT NULL,
    version INT    NOT NULL,
    PRIMARY KEY (edit_id, row_id)
);
