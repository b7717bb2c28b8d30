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
