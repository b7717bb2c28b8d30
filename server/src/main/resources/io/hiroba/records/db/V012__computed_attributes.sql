-- Attributes whose values are computed. docs/adr/0112-computed-attributes.md says how.
CREATE TABLE records.computed_attributes (
    project_id BIGINT   NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT NOT NULL,
    attr_id    SMALLINT NOT NULL,
    -- The schema of the other records that values come from; NULL if they come from the record alone.
    about      SMALLINT,
    -- {formula} or {relation, attribute, function}, with attributes by their ids.
    definition JSONB    NOT NULL,
    -- Whether it is hidden from all but owners, since something that it comes from is.
    concealed  BOOLEAN  NOT NULL DEFAULT false,
    PRIMARY KEY (project_id, schema_id, attr_id)
);

CREATE INDEX computed_attributes_about_idx ON records.computed_attributes (project_id, about) WHERE about IS NOT NULL;

-- Records whose computed values are out of date: one of them, those that refer to a record, or all of a schema. Whoever works on a row
-- holds its lock until what was computed is committed, so that nothing is lost with a node.
CREATE TABLE records.computations (
    id         BIGINT   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id BIGINT   NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT NOT NULL,
    -- The only record.
    row_id     UUID,
    -- The record that they refer to, by the attribute.
    target_row UUID,
    relation   SMALLINT,
    -- The attribute that is filled, if all records are computed for its sake.
    attr_id    SMALLINT,
    -- The last record that was computed.
    position   UUID,
    -- After a failure.
    attempts   INT      NOT NULL DEFAULT 0,
    retry_at   TIMESTAMPTZ,
    CHECK (num_nonnulls(row_id, target_row) < 2),
    CHECK ((target_row IS NULL) = (relation IS NULL))
);

CREATE INDEX computations_schema_idx ON records.computations (project_id, schema_id, row_id);
