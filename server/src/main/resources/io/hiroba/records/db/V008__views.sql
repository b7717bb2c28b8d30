-- Ways to look at the records of a schema that members keep. docs/adr/0104-options-and-views.md says how.
CREATE TABLE records.views (
    id          BIGINT      PRIMARY KEY,
    project_id  BIGINT      NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id   SMALLINT    NOT NULL,
    -- Who made it.
    owner       BIGINT      NOT NULL,
    -- The only member who sees it; NULL for all. Whoever leaves takes their own along.
    private_of  BIGINT,
    name        TEXT        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    kind        TEXT        NOT NULL CHECK (kind IN ('grid', 'board', 'calendar', 'gallery', 'form')),
    -- {filter, sort, columns, groupBy, sums, settings}, with attributes by their ids.
    definition  JSONB       NOT NULL,
    version     INT         NOT NULL DEFAULT 1,
    updated_at  TIMESTAMPTZ NOT NULL DEFAULT now(),
    FOREIGN KEY (project_id, private_of) REFERENCES records.members (project_id, user_id) ON DELETE CASCADE
);

CREATE INDEX views_shared_idx ON records.views (project_id, schema_id, id) WHERE private_of IS NULL;
CREATE INDEX views_private_idx ON records.views (project_id, private_of, schema_id, id) WHERE private_of IS NOT NULL;
