package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The items of all users that are due: to be woken from a snooze, or to be deleted long after they were done. */
final class ItemMaintenanceStore {

    /** The id of an item with its owner. */
    record OwnedItem(UserId owner, ItemId id) {

        static OwnedItem of(ResultSet row) throws SQLException {
            return new OwnedItem(new UserId(row.getLong("user_id")), new ItemId(row.getLong("id")));
        }

        /**
         * The items of each owner, in the order of owners. They are changed owner by owner: each statement is a key lookup in
         * one partition, where a join might be planned as a scan of all partitions.
         */
        static SortedMap<UserId, List<ItemId>> byOwner(Collection<OwnedItem> items) {
            var owners = new TreeMap<UserId, List<ItemId>>(Comparator.comparingLong(UserId::value));
            for (var item : items) {
                owners.computeIfAbsent(item.owner(), _ -> new ArrayList<>()).add(item.id());
            }
            return owners;
        }
    }

    /** The end of the next snooze before {@code horizon}. */
    Optional<Instant> next(Reads reads, Instant horizon) {
        return nextQuery(reads, "", horizon)
                .map(row -> Columns.instant(row, "snoozed_until"))
                .findOne();
    }

    /** The statement of {@link #next}, or its plan if {@code lead} explains it. */
    Query nextQuery(Reads reads, String lead, Instant horizon) {
        return reads.query(lead + """
                SELECT snoozed_until
                FROM inbox.notifications
                WHERE state = 1 /* snoozed */ AND snoozed_until < :horizon
                ORDER BY snoozed_until
                LIMIT 1
                """).bind("horizon", horizon);
    }

    /**
     * Locks items that are due. Rows that are locked already are skipped: another node is waking them, or their owner is
     * changing them.
     */
    List<OwnedItem> due(Tx tx, Instant now, int limit) {
        return tx.query("""
                        SELECT user_id, id
                        FROM inbox.notifications
                        WHERE state = 1 /* snoozed */ AND snoozed_until <= :now
                        ORDER BY snoozed_until
                        LIMIT :limit
                        FOR UPDATE SKIP LOCKED
                        """)
                .bind("now", now)
                .bind("limit", limit)
                .map(row -> OwnedItem.of(row))
                .list();
    }

    void wake(Tx tx, UserId owner, List<ItemId> ids, Instant now) {
        tx.update("""
                        UPDATE inbox.notifications
                        SET state = 0 /* to do */, snoozed_event = NULL, read = FALSE, updated_at = :now
                        WHERE user_id = :owner AND id = ANY (:ids)
                        """)
                .bind("owner", owner.value())
                .bindArray("ids", Long.class, ids, ItemId::value)
                .bind("now", now)
                .execute();
    }

    /** Locks items that were done before {@code before} and are not saved. */
    List<OwnedItem> expired(Tx tx, Instant before, int limit) {
        return tx.query("""
                        SELECT user_id, id
                        FROM inbox.notifications
                        WHERE state = 2 /* done */ AND NOT saved AND resolved_at < :before
                        ORDER BY resolved_at
                        LIMIT :limit
                        FOR UPDATE SKIP LOCKED
                        """)
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> OwnedItem.of(row))
                .list();
    }

    void delete(Tx tx, UserId owner, List<ItemId> ids) {
        tx.update("DELETE FROM inbox.notifications WHERE user_id = :owner AND id = ANY (:ids)")
                .bind("owner", owner.value())
                .bindArray("ids", Long.class, ids, ItemId::value)
                .execute();
    }
}
