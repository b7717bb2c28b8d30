-- Pages of charts and figures of a project. docs/adr/0124-dashboards.md says how.
CREATE TABLE records.dashboards (
    id         BIGINT      PRIMARY KEY,
    project_id BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    -- Who made it.
    owner      BIGINT      NOT NULL,
    name       TEXT        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- [{title, schema, measure, groupBy, where, wide}], with schemas and attributes by their ids.
    panels     JSONB       NOT NULL,
    version    INT         NOT NULL DEFAULT 1,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE INDEX dashboards_project_idx ON records.dashboards (project_id, id);
