-- A group that is known by its id and short name has no path until something states it: path is its name then.
ALTER TABLE inbox.namespaces
    ADD COLUMN path_known BOOLEAN NOT NULL DEFAULT TRUE,
    ADD COLUMN path_at TIMESTAMPTZ,
    ADD COLUMN matched_by_name BOOLEAN NOT NULL DEFAULT FALSE;
COMMENT ON COLUMN inbox.namespaces.path_known IS 'Whether path is where it is; otherwise it is what it is called, or where it was before another took its place';
COMMENT ON COLUMN inbox.namespaces.path_at IS 'As of when it is there, by the clock of its source: an older event that arrives later does not move it';
COMMENT ON COLUMN inbox.namespaces.matched_by_name IS 'Whether external_id was found by its name alone, until an event states both';
ALTER TABLE inbox.namespaces DROP CONSTRAINT namespaces_connection_id_path_key;
UPDATE inbox.namespaces
SET path_known = FALSE,
    path = left(path, length(path) - length(external_id) - 3),
    name = CASE WHEN name LIKE '% (' || external_id || ')' THEN left(name, length(name) - length(external_id) - 3) ELSE name END
WHERE path LIKE '_% (' || external_id || ')';
UPDATE inbox.namespaces SET path_known = FALSE, path = split_part(path, ':', 2), name = split_part(name, ':', 2)
WHERE path = external_id AND name = external_id;
CREATE UNIQUE INDEX idx_namespaces_path ON inbox.namespaces (connection_id, path) WHERE path_known;
CREATE INDEX idx_namespaces_name ON inbox.namespaces (connection_id, name);

-- The ids of namespaces that were found to be another one: filters in addresses that were kept still work.
CREATE TABLE inbox.namespace_aliases (
    id           BIGINT PRIMARY KEY,
    namespace_id BIGINT NOT NULL REFERENCES inbox.namespaces (id) ON DELETE CASCADE
);
CREATE INDEX idx_namespace_aliases_namespace ON inbox.namespace_aliases (namespace_id);

ALTER TABLE inbox.members ADD COLUMN has_left BOOLEAN NOT NULL DEFAULT FALSE;
COMMENT ON COLUMN inbox.members.has_left IS 'Whether somebody without access had it before, and was not just refused';
UPDATE inbox.members SET has_left = TRUE WHERE leaves_at IS NOT NULL;
