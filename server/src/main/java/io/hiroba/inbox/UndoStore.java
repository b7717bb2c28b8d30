package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The store of what runs of "mark all as done" have finished, as it was before. */
final class UndoStore {

    /** Keeps the items as they are now, before they are done at {@code now}. */
    void insert(Tx tx, UserId user, UUID run, Collection<ItemId> ids, Instant now) {
        tx.update("""
                        INSERT INTO inbox.undo_entries
                            (user_id, run_id, item_id, state, snoozed_until, snoozed_event, resolved_at)
                        SELECT user_id, :run, id, state, snoozed_until, snoozed_event, :now
                        FROM inbox.notifications
                        WHERE user_id = :user AND id = ANY (:ids) AND state < 2 /* not done */
                        """)
                .bind("user", user.value())
                .bind("run", run)
                .bindArray("ids", Long.class, ids, ItemId::value)
                .bind("now", now)
                .execute();
    }

    /** Locks entries of a run, in the order of their items. */
    List<ItemId> lock(Tx tx, UserId user, UUID run, int limit) {
        return tx.query("""
                        SELECT item_id FROM inbox.undo_entries
                        WHERE user_id = :user AND run_id = :run
                        ORDER BY item_id
                        LIMIT :limit
                        FOR UPDATE
                        """)
                .bind("user", user.value())
                .bind("run", run)
                .bind("limit", limit)
                .map(row -> new ItemId(row.getLong("item_id")))
                .list();
    }

    /** The entries whose item is as the run left it. */
    private static final String UNCHANGED = """
            e.user_id = :user AND e.run_id = :run AND e.item_id = n.id
            AND n.user_id = :user AND n.id = ANY (:ids) AND n.state = 2 /* done */
            AND n.resolved_by_action = 3 /* mark_all_done */ AND n.resolved_at = e.resolved_at
            """;

    /** Restores the items that are as the run left them, unless the same was requested again since; returns how many. */
    int restore(Tx tx, UserId user, UUID run, Collection<ItemId> ids, Instant now) {
        return tx.update("""
                        UPDATE inbox.notifications n
                        SET state = e.state, snoozed_until = e.snoozed_until, snoozed_event = e.snoozed_event,
                            resolved_by_action = NULL, resolved_at = NULL, updated_at = :now
                        FROM inbox.undo_entries e
                        WHERE %s
                          AND (n.action IN (2, 7, 10) /* mentions and access requests */
                               OR NOT EXISTS (
                                   SELECT FROM inbox.notifications AS twin
                                   WHERE twin.user_id = :user AND twin.resource_id = n.resource_id
                                     AND twin.action = n.action AND twin.state < 2 /* not done */))
                        """.formatted(UNCHANGED))
                .bind("user", user.value())
                .bind("run", run)
                .bindArray("ids", Long.class, ids, ItemId::value)
                .bind("now", now)
                .execute();
    }

    /** Counts the items that are still as the run left them. */
    int countDone(Tx tx, UserId user, UUID run, Collection<ItemId> ids) {
        return tx.query("SELECT count(*)::int FROM inbox.notifications n, inbox.undo_entries e WHERE " + UNCHANGED)
                .bind("user", user.value())
                .bind("run", run)
                .bindArray("ids", Long.class, ids, ItemId::value)
                .mapTo(Integer.class)
                .one();
    }

    void delete(Tx tx, UserId user, UUID run, Collection<ItemId> ids) {
        tx.update("DELETE FROM inbox.undo_entries WHERE user_id = :user AND run_id = :run AND item_id = ANY (:ids)")
                .bind("user", user.value())
                .bind("run", run)
                .bindArray("ids", Long.class, ids, ItemId::value)
                .execute();
    }

    /** Deletes up to {@code limit} entries of runs before {@code before}; returns how many. */
    int deleteBefore(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM inbox.undo_entries
                        WHERE (user_id, run_id, item_id) IN (
                            SELECT user_id, run_id, item_id FROM inbox.undo_entries
                            WHERE resolved_at < :before LIMIT :limit FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }
}
