package io.hiroba.records.transfer;

import io.hiroba.platform.export.ExportLineStore.Lines;

/** The statements of a person's saved queries and views in an export. */
final class SavedQueryExportStore {

    static final Lines QUERIES = new Lines("saved-queries.jsonl", "0|0", """
            SELECT q.project_id || '|' || q.id AS key, q.id, q.project_id, q.name, q.query, q.notify, q.shared, q.updated_at
            FROM records.members m
            JOIN records.saved_queries q ON q.project_id = m.project_id AND q.owner = m.user_id
            WHERE m.user_id = :user
              AND m.project_id >= CAST(split_part(:after, '|', 1) AS bigint)
              AND (q.project_id, q.id)
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS bigint))
            ORDER BY q.project_id, q.id
            LIMIT :limit
            """);

    static final Lines VIEWS = new Lines("views.jsonl", "0", """
            SELECT CAST(v.id AS text) AS key, v.id, v.project_id, v.schema_id, v.name, v.kind, v.definition,
                   v.private_of IS NULL AS shared, v.updated_at
            FROM records.members m
            JOIN records.views v ON v.project_id = m.project_id AND v.owner = m.user_id
            WHERE m.user_id = :user AND v.id > CAST(:after AS bigint)
            ORDER BY v.id
            LIMIT :limit
            """);

    private SavedQueryExportStore() {}
}
