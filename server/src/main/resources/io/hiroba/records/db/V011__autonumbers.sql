-- The last number that each attribute with the format autonumber gave. docs/adr/0111-formats-and-lists.md
CREATE TABLE records.autonumbers (
    project_id BIGINT   NOT NULL REFERENCES records.projects (id) ON DELETE CASCADE,
    schema_id  SMALLINT NOT NULL,
    attr_id    SMALLINT NOT NULL,
    last       BIGINT   NOT NULL,
    PRIMARY KEY (project_id, schema_id, attr_id)
);
