package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of the items whose owners want a mail that is not sent yet. */
final class ItemMailStore {

    /**
     * An item to be mailed.
     *
     * @param approval the approval of a saga that it asks for; null if it asks for none
     */
    record PendingMail(
            ItemId item,
            boolean open,
            Action action,
            String title,
            @Nullable String url,
            String path,
            @Nullable Long approval) {}

    void insert(Tx tx, List<CreatedNotification> items, Instant due) {
        tx.update("""
                        INSERT INTO inbox.pending_mails (user_id, item_id, due_at)
                        SELECT user_id, item_id, :due FROM unnest(:users, :items) AS wanted (user_id, item_id)
                        """)
                .bindArray("users", Long.class, items, item -> item.user().value())
                .bindArray("items", Long.class, items, item -> item.id().value())
                .bind("due", due)
                .execute();
    }

    /** Whether this node may send until the transaction ends: one node at a time does, so that no mail goes out twice. */
    boolean tryLock(Tx tx) {
        return tx.query("SELECT pg_try_advisory_xact_lock(hashtextextended('inbox.pending_mails', 0))")
                .mapTo(Boolean.class)
                .one();
    }

    /** Finds the user whose mail has been due longest. */
    Optional<UserId> due(Reads reads, Instant now) {
        return reads.query("SELECT user_id FROM inbox.pending_mails WHERE due_at <= :now ORDER BY due_at LIMIT 1")
                .bind("now", now)
                .map(row -> new UserId(row.getLong("user_id")))
                .findOne();
    }

    List<PendingMail> of(Reads reads, UserId user, int limit) {
        return reads.query("""
                        SELECT n.id, n.state = 0 /* to do */ AND NOT n.read AS open, n.action, r.title, r.url, s.path,
                               %s
                        FROM inbox.pending_mails l
                        JOIN inbox.notifications n ON n.user_id = l.user_id AND n.id = l.item_id
                        JOIN inbox.resources r ON r.id = n.resource_id
                        JOIN inbox.namespaces s ON s.id = n.namespace_id
                        WHERE l.user_id = :user
                        ORDER BY l.item_id
                        LIMIT :limit
                        """.formatted(ItemSelect.APPROVAL))
                .bind("user", user.value())
                .bind("limit", limit)
                .map(row -> new PendingMail(
                        new ItemId(row.getLong("id")),
                        row.getBoolean("open"),
                        Action.of(row.getInt("action")),
                        row.getString("title"),
                        row.getString("url"),
                        row.getString("path"),
                        row.getString("approval") == null ? null : Long.valueOf(Ids.parse(row.getString("approval")))))
                .list();
    }

    void delete(Tx tx, UserId user, List<PendingMail> sent) {
        tx.update("DELETE FROM inbox.pending_mails WHERE user_id = :user AND item_id = ANY (:items)")
                .bind("user", user.value())
                .bindArray("items", Long.class, sent, one -> one.item().value())
                .execute();
    }

    void postpone(Tx tx, UserId user, Instant until) {
        tx.update("UPDATE inbox.pending_mails SET due_at = :until WHERE user_id = :user AND due_at < :until")
                .bind("user", user.value())
                .bind("until", until)
                .execute();
    }
}
