-- Schemas that were deleted and can be restored. Without names in schema_registry_@ nobody finds them; their records, views, rules and
-- whatever else goes by their id stay as they are. docs/adr/0149-deleted-tables.md says how.
CREATE TABLE records.removed_schemas (
    project_id BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT    NOT NULL,
    name       TEXT        NOT NULL,
    aliases    TEXT[]      NOT NULL,
    removed_by BIGINT      NOT NULL,
    removed_at TIMESTAMPTZ NOT NULL,
    until      TIMESTAMPTZ NOT NULL CHECK (until > removed_at),
    -- Whether its records are being deleted, after which it cannot be restored.
    erasing    BOOLEAN     NOT NULL DEFAULT false,
    PRIMARY KEY (project_id, schema_id)
);

CREATE INDEX removed_schemas_until_idx ON records.removed_schemas (until);
CREATE INDEX removed_schemas_erasing_idx ON records.removed_schemas (until) WHERE erasing;
