package io.hiroba.records.transfer;

import io.hiroba.platform.export.ExportLineStore.Lines;

/** The statement of a person's saved queries in an export. */
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

    private SavedQueryExportStore() {}
}
