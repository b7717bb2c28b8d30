package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of a user's items as their owner changes them. Rows are locked in the order of their ids. */
final class ItemStore {

    private static final String ITEMS = "inbox.notifications";

    Optional<InboxItem> find(Reads reads, UserId user, ItemId id) {
        return reads.query(ItemSelect.sql(ITEMS, ":id"))
                .bind("user", user.value())
                .bind("id", id.value())
                .map(row -> ItemSelect.item(row))
                .findOne();
    }

    /** Finds those of the items that exist, in the order of {@code ids}. */
    List<InboxItem> find(Reads reads, UserId user, Collection<ItemId> ids) {
        return reads.query("""
                        SELECT %s
                        FROM unnest(:ids) WITH ORDINALITY AS asked (id, place)
                        CROSS JOIN LATERAL (%s OFFSET 0) AS card
                        ORDER BY asked.place
                        """.formatted(ItemSelect.COLUMNS, ItemSelect.sql(ITEMS, "asked.id")))
                .bind("user", user.value())
                .bindArray("ids", Long.class, (Object[]) values(ids))
                .map(row -> ItemSelect.item(row))
                .list();
    }

    /** The approval that an item of Hiroba's own sagas asks for; empty if it asks for none. */
    Optional<Long> approval(Reads reads, UserId user, ItemId id) {
        return reads.query("""
                        SELECT r.external_id
                        FROM inbox.notifications n
                        JOIN inbox.resources r ON r.id = n.resource_id
                        WHERE n.user_id = :user AND n.id = :id AND n.action = :action AND r.type = :type
                          AND r.connection_id = :connection
                        """)
                .bind("user", user.value())
                .bind("id", id.value())
                .bind("action", Action.APPROVAL_REQUIRED.code())
                .bind("type", ResourceType.SAGA.code())
                .bind("connection", ConnectionId.HIROBA.value())
                .map(row -> Ids.parse(row.getString("external_id")))
                .findOne();
    }

    /** Locks those of the items that exist, and returns their ids. */
    Set<ItemId> lock(Tx tx, UserId user, Collection<ItemId> ids) {
        return tx
                .query("""
                        SELECT id FROM inbox.notifications
                        WHERE user_id = :user AND id = ANY (:ids)
                        ORDER BY id
                        FOR UPDATE
                        """)
                .bind("user", user.value())
                .bindArray("ids", Long.class, (Object[]) values(ids))
                .map(row -> new ItemId(row.getLong("id")))
                .stream()
                .collect(Collectors.toSet());
    }

    /** Returns how many items have changed, as all updates here. */
    int done(Tx tx, UserId user, Collection<ItemId> ids, Resolution by, Instant now) {
        return bound(tx.update("""
                        UPDATE inbox.notifications
                        SET state = 2 /* done */, resolved_by_action = :by, resolved_at = :now, updated_at = :now,
                            snoozed_event = NULL,
                            snoozed_until = CASE WHEN state = 1 /* snoozed */ THEN NULL ELSE snoozed_until END
                        WHERE user_id = :user AND id = ANY (:ids) AND state < 2 /* not done */
                        """), user, ids, now).bind("by", by.code()).execute();
    }

    /**
     * Locks those of the items that are not done, that a list of {@code view} still shows, and that nobody waits for: an open approval of a
     * saga or an agent stays until it is decided.
     */
    List<ItemId> lockIn(Tx tx, UserId user, InboxView view, Collection<ItemId> ids) {
        return tx.query("""
                        SELECT id FROM inbox.notifications AS n
                        WHERE user_id = :user AND id = ANY (:ids) AND state < 2 /* not done */ AND %s
                          AND NOT (action = 5 /* approval_required */ AND EXISTS (
                              SELECT FROM inbox.resources AS r
                              WHERE r.id = n.resource_id AND r.type = 7 /* saga */ AND r.connection_id = :hiroba
                                AND r.state = 'opened'))
                        ORDER BY id
                        FOR UPDATE
                        """.formatted(ItemIndexScan.condition(view)))
                .bind("hiroba", ConnectionId.HIROBA.value())
                .bind("user", user.value())
                .bindArray("ids", Long.class, (Object[]) values(ids))
                .map(row -> new ItemId(row.getLong("id")))
                .list();
    }

    /** Restricts a restore of several items to the newest of those with the same resource and action, unless one is pending. */
    private static final String RESTORABLE = """
            AND id IN (
                SELECT id
                FROM (SELECT id, resource_id, action, row_number() OVER (PARTITION BY resource_id, action ORDER BY id DESC) AS place
                      FROM inbox.notifications
                      WHERE user_id = :user AND id = ANY (:ids) AND state = 2 /* done */) AS done
                WHERE action IN (2, 7, 10) /* mentions and access requests */
                   OR (place = 1 AND NOT EXISTS (
                       SELECT FROM inbox.notifications AS twin
                       WHERE twin.user_id = :user AND twin.resource_id = done.resource_id AND twin.action = done.action
                         AND twin.state < 2 /* not done */)))
            """;

    /** An item that was requested again since it was done cannot be restored; among several it is skipped. */
    int restore(Tx tx, UserId user, Collection<ItemId> ids, Instant now) {
        try {
            return bound(tx.update("""
                            UPDATE inbox.notifications
                            SET state = 0 /* to do */, resolved_by_action = NULL, resolved_at = NULL, updated_at = :now
                            WHERE user_id = :user AND id = ANY (:ids) AND state = 2 /* done */
                            """ + (values(ids).length == 1 ? "" : RESTORABLE)), user, ids, now)
                    .execute();
        } catch (DbException e) {
            if (SqlState.is(e, SqlState.UNIQUE_VIOLATION)) {
                throw InboxProblem.alreadyPending();
            }
            throw e;
        }
    }

    int save(Tx tx, UserId user, Collection<ItemId> ids, boolean saved, Instant now) {
        return bound(tx.update("""
                        UPDATE inbox.notifications
                        SET saved = :saved, updated_at = :now
                        WHERE user_id = :user AND id = ANY (:ids) AND saved <> :saved
                        """), user, ids, now).bind("saved", saved).execute();
    }

    int read(Tx tx, UserId user, Collection<ItemId> ids, boolean read, Instant now) {
        return bound(tx.update("""
                        UPDATE inbox.notifications
                        SET read = :read, updated_at = :now
                        WHERE user_id = :user AND id = ANY (:ids) AND read <> :read
                        """), user, ids, now).bind("read", read).execute();
    }

    int snooze(
            Tx tx, UserId user, Collection<ItemId> ids, @Nullable Instant until, @Nullable String event, Instant now) {
        return bound(tx.update("""
                        UPDATE inbox.notifications
                        SET state = 1 /* snoozed */, snoozed_at = :now, snoozed_until = :until, snoozed_event = :event,
                            updated_at = :now
                        WHERE user_id = :user AND id = ANY (:ids) AND state < 2 /* not done */
                        """), user, ids, now)
                .bind("until", until)
                .bind("event", event)
                .execute();
    }

    /** Finds the events which the items may be snoozed until: those that their resource, or the target of a comment, can still have. */
    Map<ItemId, Set<SnoozeEvent>> snoozeEvents(Reads reads, UserId user, Collection<ItemId> ids) {
        return reads
                .query("""
                        SELECT n.id, r.type IN (2 /* merge request */, 4 /* commit */) AS has_pipelines,
                               r.type = 2 AND lower(r.state) NOT IN ('closed', 'merged', 'done', 'resolved') AS mergeable
                        FROM inbox.notifications n
                        LEFT JOIN inbox.notes c ON c.id = n.resource_id
                        JOIN inbox.resources r ON r.id = coalesce(c.target_id, n.resource_id)
                        WHERE n.user_id = :user AND n.id = ANY (:ids)
                        """)
                .bind("user", user.value())
                .bindArray("ids", Long.class, (Object[]) values(ids))
                .map(row -> Map.entry(
                        new ItemId(row.getLong("id")),
                        SnoozeEvent.possible(row.getBoolean("has_pipelines"), row.getBoolean("mergeable"))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    int unsnooze(Tx tx, UserId user, Collection<ItemId> ids, @Nullable Instant wokenAt, Instant now) {
        return bound(tx.update("""
                        UPDATE inbox.notifications
                        SET state = 0 /* to do */, snoozed_until = :until, snoozed_event = NULL, updated_at = :now
                        WHERE user_id = :user AND id = ANY (:ids) AND state = 1 /* snoozed */
                        """), user, ids, now).bind("until", wokenAt).execute();
    }

    /** The time zone in the settings of an account. */
    Optional<String> zone(Reads reads, UserId user) {
        return reads.query("SELECT time_zone FROM accounts.user_zone WHERE user_id = :user AND time_zone IS NOT NULL")
                .bind("user", user.value())
                .mapTo(String.class)
                .findOne();
    }

    private static Update bound(Update update, UserId user, Collection<ItemId> ids, Instant now) {
        return update.bind("user", user.value())
                .bindArray("ids", Long.class, (Object[]) values(ids))
                .bind("now", now);
    }

    private static Long[] values(Collection<ItemId> ids) {
        return ids.stream().map(ItemId::value).distinct().toArray(Long[]::new);
    }
}
