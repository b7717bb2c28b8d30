package io.hiroba.inbox;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statements of the inbox in an export: items as its pages show them, settings, names elsewhere and SSH keys. */
final class InboxExportStore {

    private static final Lines ITEMS = new Lines("items.jsonl", "-1|0", """
            SELECT n.state || '|' || n.id AS key, n.id, %s AS action, %s AS state, n.read, n.saved, n.snoozed_until,
                   n.snoozed_event, n.created_at, n.updated_at, n.resolved_at, %s AS type, r.title, r.url, s.path AS namespace
            FROM inbox.notifications n
            JOIN inbox.resources r ON r.id = n.resource_id
            JOIN inbox.namespaces s ON s.id = n.namespace_id
            WHERE n.user_id = :user
              AND (n.state, n.id) > (CAST(split_part(:after, '|', 1) AS smallint), CAST(split_part(:after, '|', 2) AS bigint))
            ORDER BY n.state, n.id
            LIMIT :limit
            """.formatted(
            name("n.action", Stream.of(Action.values()).map(action -> when(action.code(), action.text()))),
            name(
                    "n.state",
                    Stream.of(ItemState.values())
                            .map(state -> when(state.code(), state.name().toLowerCase(Locale.ROOT)))),
            name("r.type", Stream.of(ResourceType.values()).map(type -> when(type.code(), type.text())))));

    private static final Lines PREFERENCES = new Lines("preferences.jsonl", "0|0", """
            SELECT coalesce(p.namespace_id, 0) || '|' || coalesce(p.action, 0) AS key, s.path AS namespace,
                   %s AS action, p.delivery
            FROM inbox.preferences p
            LEFT JOIN inbox.namespaces s ON s.id = p.namespace_id
            WHERE p.user_id = :user
              AND (:after = '0|0' OR (coalesce(p.namespace_id, 0), coalesce(p.action, 0))
                  > (CAST(split_part(:after, '|', 1) AS bigint), CAST(split_part(:after, '|', 2) AS smallint)))
            ORDER BY coalesce(p.namespace_id, 0), coalesce(p.action, 0)
            LIMIT :limit
            """.formatted(name(
            "p.action", Stream.of(Action.values()).map(action -> when(action.code(), action.text())))));

    private static final Lines SETTINGS = new Lines("settings.jsonl", "", """
            SELECT 'x' AS key, keep_resolved FROM inbox.settings WHERE user_id = :user AND :after = '' LIMIT :limit
            """);

    private static final Lines IDENTITIES = new Lines("identities.jsonl", "0", """
            SELECT id::text AS key, id, provider, connection_id, username, email, confirmed, created_at
            FROM inbox.identities
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static final Lines SSH_KEYS = new Lines("ssh-keys.jsonl", "0", """
            SELECT id::text AS key, id, public_key, fingerprint, expires_at, created_at
            FROM inbox.ssh_keys
            WHERE user_id = :user AND id > CAST(:after AS bigint)
            ORDER BY id
            LIMIT :limit
            """);

    private static String when(int code, String text) {
        return " WHEN %d THEN '%s'".formatted(code, text);
    }

    private static String name(String column, Stream<String> cases) {
        return cases.collect(Collectors.joining("", "CASE " + column, " END"));
    }

    private InboxExportStore() {}

    static ExportPart part(Db db) {
        var files = List.of(ITEMS, PREFERENCES, SETTINGS, IDENTITIES, SSH_KEYS);
        return new ExportPart("inbox", Text.of("inbox.export-part"), ExportLineStore.content(db, files));
    }
}
