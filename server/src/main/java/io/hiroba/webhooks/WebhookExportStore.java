package io.hiroba.webhooks;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The statements of webhooks in an export: their settings without secrets, and the log of their deliveries. */
final class WebhookExportStore {

    private static final Lines WEBHOOKS = new Lines("webhooks.jsonl", "0", """
            SELECT id::text AS key, id, url, array_to_string(events, ' ') AS events,
                   array_to_string(projects, ' ') AS projects, array_to_string(workflows, ', ') AS workflows, description, created_at, disabled_at,
                   disabled_by, paused_at
            FROM webhooks.webhooks
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines DELIVERIES = new Lines("deliveries.jsonl", "0", """
            SELECT d.id::text AS key, d.id, d.webhook_id, d.event_id, d.type, d.status, d.attempts, d.created_at, d.attempted_at,
                   d.http_status, d.error
            FROM webhooks.deliveries d
            JOIN webhooks.webhooks w ON w.id = d.webhook_id
            WHERE w.user_id = :user AND d.id > CAST(:after AS bigint)
            ORDER BY d.id
            LIMIT :limit
            """);

    private WebhookExportStore() {}

    static ExportPart part(Db db) {
        return new ExportPart(
                "webhooks",
                Text.of("webhooks.export-part"),
                ExportLineStore.content(db, List.of(WEBHOOKS, DELIVERIES)));
    }
}
