package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.inbox.fanout.ItemTimeline.Fact;
import io.hiroba.inbox.fanout.ItemTimeline.Request;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what happened to the items about a resource, and changes them to what follows from it. */
final class ItemTimelineStore {

    /**
     * An item as it is stored.
     *
     * @param dismissed whether its owner has marked it as done
     * @param awaitsEnd whether its owner has snoozed it until the resource ends
     * @param requests all that it stands for
     */
    record StoredItem(
            UserId user,
            ItemId id,
            Action action,
            ItemState state,
            boolean dismissed,
            boolean awaitsEnd,
            boolean saved,
            NavigableSet<Request> requests) {

        boolean isDone() {
            return state == ItemState.DONE;
        }

        boolean standsFor(Collection<Request> others) {
            return others.stream().anyMatch(requests::contains);
        }
    }

    /**
     * A fact about the items of a resource.
     *
     * @param user null for everybody
     * @param action null for all
     */
    record OwnedFact(@Nullable UserId user, @Nullable Action action, Fact fact) {

        boolean isAbout(UserId owner, Action of) {
            return (user == null || user.equals(owner)) && (action == null || action == of);
        }
    }

    /** Who keeps resolved items is not affected by rules. */
    private static final String KEEPS =
            "EXISTS (SELECT FROM inbox.settings s WHERE s.user_id = u.user_id AND s.keep_resolved)";

    private static final String FACTS = """
            SELECT CAST(NULL AS BIGINT) AS user_id, CAST(NULL AS SMALLINT) AS action, reopened_at AS at, 'REOPENED' AS kind
            FROM inbox.reopenings
            WHERE resource_id = :resource AND reopened_at >= :since
            UNION ALL
            SELECT u.user_id, r.action, r.resolved_until, CASE WHEN r.ended THEN 'ENDED' ELSE 'RESOLVED' END
            FROM inbox.auto_resolutions r CROSS JOIN unnest(:users) AS u (user_id)
            WHERE r.resource_id = :resource AND r.action = ANY (:actions) AND r.resolved_until >= :since AND NOT %1$s
            UNION ALL
            SELECT u.user_id, CAST(6 AS SMALLINT) /* unmergeable */, c.checked_at, 'RESOLVED'
            FROM inbox.merge_checks c CROSS JOIN unnest(:users) AS u (user_id)
            WHERE c.resource_id = :resource AND 6 = ANY (:actions) AND NOT c.conflicting AND c.checked_at >= :since
              AND NOT %1$s
            UNION ALL
            SELECT p.user_id, NULL, a.acted_at, 'RESOLVED'
            FROM inbox.acts a JOIN inbox.people p ON p.id = a.person_id
            WHERE a.resource_id = :root AND p.user_id = ANY (:users) AND a.acted_at >= :since
            UNION ALL
            SELECT p.user_id, w.action, w.withdrawn_at, 'WITHDRAWN'
            FROM inbox.withdrawals w JOIN inbox.people p ON p.id = w.person_id
            WHERE w.resource_id = :resource AND w.action = ANY (:actions) AND p.user_id = ANY (:users)
              AND w.withdrawn_at >= :since
            UNION ALL
            SELECT u.user_id, asked.action, s.synced_at, 'WITHDRAWN'
            FROM inbox.participant_syncs s
            JOIN unnest(:roles, :roleActions) AS asked (role, action) ON asked.role = s.role AND asked.action = ANY (:actions)
            CROSS JOIN unnest(:users) AS u (user_id)
            WHERE s.resource_id = :resource AND s.synced_at >= :since
              AND NOT EXISTS (SELECT FROM inbox.people p WHERE p.user_id = u.user_id AND p.id = ANY (s.people))
            """.formatted(KEEPS);

    private record RoleAction(String role, short action) {}

    private static final List<RoleAction> ROLE_ACTIONS = Stream.of(ParticipantRole.values())
            .flatMap(role -> role.actions().stream().map(action -> new RoleAction(role.text(), (short) action.code())))
            .toList();

    /** Finds what happened to items of these users and actions about a resource since a time. */
    List<OwnedFact> facts(
            Reads reads, Resource resource, Collection<Action> actions, Collection<UserId> users, Instant since) {
        return reads.query(FACTS)
                .bind("resource", resource.id().value())
                .bind("root", resource.root().value())
                .bind("since", since)
                .bindArray("actions", Short.class, actions, action -> (short) action.code())
                .bindArray("users", Long.class, users, UserId::value)
                .bindArray("roles", String.class, ROLE_ACTIONS, RoleAction::role)
                .bindArray("roleActions", Short.class, ROLE_ACTIONS, RoleAction::action)
                .map(row -> fact(row))
                .list();
    }

    private static OwnedFact fact(ResultSet row) throws SQLException {
        var user = row.getObject("user_id", Long.class);
        var action = row.getObject("action", Integer.class);
        return new OwnedFact(
                user == null ? null : new UserId(user),
                action == null ? null : Action.of(action),
                new Fact(Columns.instant(row, "at"), ItemTimeline.Kind.valueOf(row.getString("kind"))));
    }

    /** Finds those of the users who have an item of the action with a later request. */
    Set<UserId> askedAfter(Reads reads, NotificationRequest request, Collection<UserId> users) {
        return reads.query("""
                        SELECT n.user_id
                        FROM %s link
                        JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                        WHERE link.resource_id = :resource AND link.user_id = ANY (:users)
                          AND n.action = :action AND n.happened_at > :at
                        """.formatted(request.resource().type().links()))
                .bind("resource", request.resource().id().value())
                .bindArray("users", Long.class, users, UserId::value)
                .bind("action", request.action().code())
                .bind("at", request.at())
                .map(row -> new UserId(row.getLong("user_id")))
                .set();
    }

    /** Finds the actions of items about a resource that stand for requests before and after a time. */
    Set<Action> spanning(Reads reads, Resource resource, UserId user, Instant at) {
        return reads.query("""
                        SELECT DISTINCT n.action
                        FROM %s link
                        JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                        JOIN inbox.merged_requests m ON m.user_id = n.user_id AND m.item_id = n.id
                        WHERE link.resource_id = :resource AND link.user_id = :user
                          AND n.happened_at > :at AND m.happened_at <= :at
                        """.formatted(resource.type().links()))
                .bind("resource", resource.id().value())
                .bind("user", user.value())
                .bind("at", at)
                .map(row -> Action.of(row.getInt("action")))
                .set();
    }

    /**
     * Locks the items of these actions about a resource.
     *
     * @param users their owners; null for everybody
     */
    List<StoredItem> lock(Tx tx, Resource resource, Collection<Action> actions, @Nullable Collection<UserId> users) {
        var items = tx.query("""
                        SELECT n.user_id, n.id, n.action, n.state, n.resolved_by_action, n.saved, n.happened_at, n.author_id,
                               n.author_person_id, n.state = 1 /* snoozed */ AND n.snoozed_event = 'merge' AS awaits_end
                        FROM %s link
                        JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                        WHERE link.resource_id = :resource AND n.action = ANY (:actions)
                          AND (:everybody OR link.user_id = ANY (:users))
                        ORDER BY n.user_id, n.id
                        FOR UPDATE OF n
                        """.formatted(resource.type().links()))
                .bind("resource", resource.id().value())
                .bindArray("actions", Short.class, actions, action -> (short) action.code())
                .bind("everybody", users == null)
                .bindArray("users", Long.class, users == null ? List.<UserId>of() : users, UserId::value)
                .map(row -> item(row))
                .list();
        var byId = items.stream().collect(Collectors.toMap(StoredItem::id, Function.identity()));
        if (!items.isEmpty()) {
            addMerged(tx, byId);
        }
        return items;
    }

    private static void addMerged(Tx tx, Map<ItemId, StoredItem> items) {
        tx.query("""
                        SELECT m.item_id, m.happened_at, m.author_id, m.author_person_id
                        FROM unnest(:users, :ids) AS item (user_id, id)
                        JOIN inbox.merged_requests m ON m.user_id = item.user_id AND m.item_id = item.id
                        """)
                .bindArray(
                        "users", Long.class, items.values(), item -> item.user().value())
                .bindArray("ids", Long.class, items.values(), item -> item.id().value())
                .map(row -> Map.entry(new ItemId(row.getLong("item_id")), request(row)))
                .list()
                .forEach(merged -> Objects.requireNonNull(items.get(merged.getKey()))
                        .requests()
                        .add(merged.getValue()));
    }

    private static StoredItem item(ResultSet row) throws SQLException {
        var requests = new TreeSet<Request>();
        requests.add(request(row));
        return new StoredItem(
                new UserId(row.getLong("user_id")),
                new ItemId(row.getLong("id")),
                Action.of(row.getInt("action")),
                ItemState.of(row.getInt("state")),
                row.getInt("resolved_by_action") > 0,
                row.getBoolean("awaits_end"),
                row.getBoolean("saved"),
                requests);
    }

    private static Request request(ResultSet row) throws SQLException {
        return new Request(Columns.instant(row, "happened_at"), PendingItemStore.author(row));
    }

    void resolve(Tx tx, StoredItem item, Instant now) {
        key(tx.update("""
                        UPDATE inbox.notifications
                        SET state = 2 /* done */, resolved_by_action = 0 /* system_done */, resolved_at = :now,
                            updated_at = :now, snoozed_event = NULL,
                            snoozed_until = CASE WHEN state = 1 /* snoozed */ THEN NULL ELSE snoozed_until END
                        WHERE user_id = :user AND id = :id
                        """).bind("now", now), item).execute();
    }

    /** Makes an item one to do again, unread, unless there is another by now. */
    void restore(Tx tx, StoredItem item, Instant now) {
        key(tx.update("""
                        UPDATE inbox.notifications n
                        SET state = 0 /* to do */, resolved_by_action = NULL, resolved_at = NULL, read = FALSE, updated_at = :now
                        WHERE user_id = :user AND id = :id
                          AND NOT EXISTS (SELECT FROM inbox.notifications twin
                                          WHERE twin.user_id = n.user_id AND twin.resource_id = n.resource_id
                                            AND twin.action = n.action AND twin.state < 2 /* not done */
                                            AND twin.action NOT IN (2, 7, 10) /* mentions and access requests */)
                        """).bind("now", now), item).execute();
    }

    void save(Tx tx, StoredItem item) {
        key(tx.update("UPDATE inbox.notifications SET saved = TRUE WHERE user_id = :user AND id = :id"), item)
                .execute();
    }

    void delete(Tx tx, StoredItem item) {
        key(tx.update("DELETE FROM inbox.notifications WHERE user_id = :user AND id = :id"), item)
                .execute();
    }

    /** Writes the requests that an item stands for. */
    void setRequests(Tx tx, UserId user, ItemId id, NavigableSet<Request> requests) {
        var last = requests.last();
        tx.update("""
                        UPDATE inbox.notifications SET happened_at = :at, author_id = :author, author_person_id = :person
                        WHERE user_id = :user AND id = :id
                        """)
                .bind("at", last.at())
                .bind("author", last.author().userValue())
                .bind("person", last.author().personValue())
                .bind("user", user.value())
                .bind("id", id.value())
                .execute();
        tx.update("DELETE FROM inbox.merged_requests WHERE user_id = :user AND item_id = :id")
                .bind("user", user.value())
                .bind("id", id.value())
                .execute();
        for (var earlier : requests.headSet(last)) {
            tx.update("""
                            INSERT INTO inbox.merged_requests (user_id, item_id, happened_at, author_id, author_person_id)
                            VALUES (:user, :id, :at, :author, :person)
                            """)
                    .bind("user", user.value())
                    .bind("id", id.value())
                    .bind("at", earlier.at())
                    .bind("author", earlier.author().userValue())
                    .bind("person", earlier.author().personValue())
                    .execute();
        }
    }

    private static Update key(Update update, StoredItem item) {
        return update.bind("user", item.user().value()).bind("id", item.id().value());
    }
}
