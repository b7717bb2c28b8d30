-- Collections that are shared with all members of a project (docs/adr/0144-collections-shared-with-projects.md). Who they are is asked
-- of the project itself, in the statement that asks for a role. The id of a project that is gone is no other's, and has no members.
CREATE TABLE knowledge.collection_projects (
    collection_id BIGINT NOT NULL REFERENCES knowledge.collections (id) ON DELETE CASCADE,
    project_id    BIGINT NOT NULL,
    role          TEXT NOT NULL CHECK (role IN ('reader', 'editor', 'manager')),
    added_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (collection_id, project_id)
);
CREATE INDEX idx_collection_projects_project ON knowledge.collection_projects (project_id, collection_id);

-- As before; of the roles that somebody has by themselves, by their projects and as anybody, the highest.
CREATE OR REPLACE FUNCTION knowledge.collection_role(collection BIGINT, reader BIGINT, with_records BOOLEAN DEFAULT true) RETURNS TEXT
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN t.id IS NOT NULL
                    THEN CASE WHEN with_records AND NOT t.ended AND t.id = ANY (records.readable_texts(reader)) THEN 'reader' END
                WHEN c.owned_by = reader THEN 'manager'
                ELSE (ARRAY['reader', 'editor', 'manager'])[(
                    SELECT max(array_position(ARRAY['reader', 'editor', 'manager'], r.role))
                    FROM (SELECT m.role FROM knowledge.collection_members m
                          WHERE m.collection_id = c.id AND m.user_id = reader
                          UNION ALL
                          SELECT p.role FROM knowledge.collection_projects p
                          JOIN records.project_member g ON g.project_id = p.project_id AND g.user_id = reader
                          WHERE p.collection_id = c.id
                          UNION ALL
                          SELECT 'reader' WHERE c.visibility = 'public') AS r)] END
    FROM knowledge.collections c
    LEFT JOIN knowledge.record_texts t ON t.collection_id = c.id
    WHERE c.id = collection
$$;

CREATE OR REPLACE FUNCTION knowledge.readable_collections(reader BIGINT, with_records BOOLEAN DEFAULT true) RETURNS BIGINT[]
LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(r.id), '{}')
    FROM (SELECT c.id FROM knowledge.collections c WHERE c.owned_by = reader
          UNION
          SELECT c.id FROM knowledge.collections c WHERE c.visibility = 'public'
          UNION
          SELECT m.collection_id FROM knowledge.collection_members m WHERE m.user_id = reader
          UNION
          SELECT p.collection_id FROM records.project_member g
          JOIN knowledge.collection_projects p ON p.project_id = g.project_id
          WHERE g.user_id = reader
          UNION
          SELECT t.collection_id FROM knowledge.record_texts t
          WHERE with_records AND NOT t.ended AND t.id = ANY ((SELECT records.readable_texts(reader))::bigint[])) AS r
$$;
