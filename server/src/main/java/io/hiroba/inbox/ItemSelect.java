package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The SQL that selects items with their resource, namespace and author, and its row mapper. */
final class ItemSelect {

    private static final String OWN = """
            n.id AS item, n.action, n.state, n.read, n.saved, n.snoozed_until, n.snoozed_event,
            n.resolved_by_action, n.created_at, n.updated_at""";

    /** The id of the approval that an item asks for, of a saga or of an agent: an external id of Hiroba's own, or null. */
    static final String APPROVAL =
            "CASE WHEN n.action = %d AND r.type = %d AND r.connection_id = %d THEN r.external_id END AS approval"
                    .formatted(Action.APPROVAL_REQUIRED.code(), ResourceType.SAGA.code(), ConnectionId.HIROBA.value());

    /** An author of whom only the e-mail address is known stays anonymous: addresses are private. */
    private static final String ABOUT = """
            r.id AS resource_id, r.type, r.title, r.url, r.state AS resource_state, r.work_item_type,
            %s,
            s.id AS namespace_id, s.path,
            u.id AS author_id,
            coalesce(u.nickname, p.name, p.username, CASE WHEN p.id IS NOT NULL THEN 'Somebody' END) AS author_name,
            p.username AS author_username, coalesce(u.avatar, p.avatar_url) AS author_avatar""".formatted(APPROVAL);

    private static final String JOINS = """
            JOIN inbox.namespaces s ON s.id = n.namespace_id
            LEFT JOIN inbox.people p ON p.id = n.author_person_id
            LEFT JOIN accounts.user_card u ON u.id = coalesce(n.author_id, p.user_id)
            """;

    /** The columns of an item that {@link #of} needs. */
    static final String NEEDED = """
            id, action, state, read, saved, snoozed_until, snoozed_event, resolved_by_action, created_at, updated_at,
            resource_id, namespace_id, author_id, author_person_id, recommended_at
            """;

    /** The columns of {@link #sql}, of a subquery by the name of card. */
    static final String COLUMNS = """
            card.item, card.action, card.state, card.read, card.saved, card.snoozed_until, card.snoozed_event,
            card.resolved_by_action, card.created_at, card.updated_at,
            card.resource_id, card.type, card.title, card.url, card.resource_state, card.work_item_type,
            card.approval, card.namespace_id, card.path, card.author_id, card.author_name, card.author_username, card.author_avatar
            """;

    private ItemSelect() {}

    /** The item of {@code :user} with this id, out of a table of items. */
    static String sql(String items, String id) {
        return """
                SELECT %s, %s
                FROM %s n
                JOIN inbox.resources r ON r.id = n.resource_id
                %s
                WHERE n.user_id = :user AND n.id = %s
                """.formatted(OWN, ABOUT, items, JOINS, id);
    }

    /** The items that a query finds. The subquery is not a join, since the items are few. */
    static String of(String query) {
        return """
                SELECT n.id, n.recommended_at, 0 AS place, TRUE AS matched, %s, about.*
                FROM (%s) AS n
                CROSS JOIN LATERAL (
                    SELECT %s
                    FROM inbox.resources r
                    %s
                    WHERE r.id = n.resource_id OFFSET 0) AS about
                """.formatted(OWN, query, ABOUT, JOINS);
    }

    static InboxItem item(ResultSet row) throws SQLException {
        @Nullable String event = row.getString("snoozed_event");
        @Nullable String approval = row.getString("approval");
        @Nullable Integer resolution = row.getObject("resolved_by_action", Integer.class);
        return new InboxItem(
                new ItemId(row.getLong("item")),
                Action.of(row.getInt("action")),
                ItemState.of(row.getInt("state")),
                new InboxItem.Subject(
                        new ResourceId(row.getLong("resource_id")),
                        ResourceType.of(row.getInt("type")),
                        row.getString("title"),
                        row.getString("url"),
                        row.getString("resource_state"),
                        row.getString("work_item_type")),
                new InboxItem.Namespace(new NamespaceId(row.getLong("namespace_id")), row.getString("path")),
                approval == null ? null : new InboxItem.Approval(Ids.parse(approval), null, null),
                author(row),
                row.getBoolean("read"),
                row.getBoolean("saved"),
                Columns.instantOrNull(row, "snoozed_until"),
                event == null ? null : SnoozeEvent.valueOf(event.toUpperCase(Locale.ROOT)),
                resolution == null ? null : Resolution.of(resolution),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "updated_at"));
    }

    private static InboxItem.@Nullable Author author(ResultSet row) throws SQLException {
        @Nullable String name = row.getString("author_name");
        if (name == null) {
            return null;
        }
        @Nullable Long user = row.getObject("author_id", Long.class);
        return new InboxItem.Author(
                user == null ? null : new UserId(user),
                name,
                row.getString("author_username"),
                row.getString("author_avatar"));
    }
}
