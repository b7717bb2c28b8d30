package io.hiroba.saga;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of sagas in an export: which the person started. What services answered is for auditors only. */
final class SagaExportStore {

    private static final Lines SAGAS = new Lines("sagas.jsonl", "00000000-0000-0000-0000-000000000000", """
            SELECT id::text AS key, id, workflow_name, workflow_version, status, correlation_id, created_at, updated_at
            FROM saga.saga_states
            WHERE initiated_by = lpad(upper(to_hex(CAST(:user AS bigint))), 16, '0') AND id > CAST(:after AS uuid)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines ROLES = new Lines("role.jsonl", "", """
            SELECT 'x' AS key, role, granted_at FROM saga.roles WHERE user_id = :user AND :after = '' LIMIT :limit
            """);

    private static final Lines DECISIONS = new Lines("approvals.jsonl", "0", """
            SELECT d.approval_id::text AS key, a.saga_id, a.step_name, a.title, d.approved, d.comment, d.answers, d.decided_at
            FROM saga.approval_decisions AS d
            JOIN saga.approvals AS a ON a.id = d.approval_id
            WHERE d.user_id = :user AND d.approval_id > CAST(:after AS bigint)
            ORDER BY d.approval_id
            LIMIT :limit
            """);

    private static final Lines FILTERS = new Lines("saved-filters.jsonl", "", """
            SELECT name AS key, name, query, created_at
            FROM saga.saved_filters
            WHERE user_id = :user AND name > :after
            ORDER BY name
            LIMIT :limit
            """);

    private SagaExportStore() {}

    static ExportPart part(Db db) {
        return new ExportPart(
                "sagas",
                Text.of("saga.export-part"),
                ExportLineStore.content(db, List.of(SAGAS, ROLES, DECISIONS, FILTERS)));
    }
}
