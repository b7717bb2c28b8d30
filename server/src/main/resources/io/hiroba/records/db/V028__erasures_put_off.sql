-- A deleted schema whose rows cannot be erased now has others go first. docs/adr/0149-deleted-tables.md says how.
ALTER TABLE records.removed_schemas
    ADD COLUMN attempts INT NOT NULL DEFAULT 0,
    ADD COLUMN retry_at TIMESTAMPTZ;
