package io.hiroba.inbox.letters;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.fanout.Made;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table letters: what somebody wants a mail about. */
final class LetterStore {

    /** An item that waits to be told of. */
    record Waiting(
            ItemId item,
            boolean open,
            Action action,
            String title,
            @Nullable String url,
            String path) {}

    void insert(Tx tx, List<Made> items, Instant due) {
        tx.update("""
                        INSERT INTO inbox.letters (user_id, item_id, due_at)
                        SELECT user_id, item_id, :due FROM unnest(:users, :items) AS wanted (user_id, item_id)
                        """)
                .bindArray("users", Long.class, (Object[])
                        items.stream().map(item -> item.user().value()).toArray(Long[]::new))
                .bindArray("items", Long.class, (Object[])
                        items.stream().map(item -> item.id().value()).toArray(Long[]::new))
                .bind("due", due.atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** Whether this node may write letters until the transaction ends: one at a time does, so that none goes out twice. */
    boolean begin(Tx tx) {
        return tx.query("SELECT pg_try_advisory_xact_lock(hashtextextended('inbox.letters', 0))")
                .mapTo(Boolean.class)
                .one();
    }

    /** Whose letter is due longest. */
    Optional<UserId> due(Reads reads, Instant now) {
        return reads.query("SELECT user_id FROM inbox.letters WHERE due_at <= :now ORDER BY due_at LIMIT 1")
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> new UserId(row.getLong("user_id")))
                .findOne();
    }

    List<Waiting> of(Reads reads, UserId user, int most) {
        return reads.query("""
                        SELECT n.id, n.state = 0 AND NOT n.read AS open, n.action, r.title, r.url, s.path
                        FROM inbox.letters l
                        JOIN inbox.notifications n ON n.user_id = l.user_id AND n.id = l.item_id
                        JOIN inbox.resources r ON r.id = n.resource_id
                        JOIN inbox.namespaces s ON s.id = n.namespace_id
                        WHERE l.user_id = :user
                        ORDER BY l.item_id
                        LIMIT :most
                        """)
                .bind("user", user.value())
                .bind("most", most)
                .map(row -> new Waiting(
                        new ItemId(row.getLong("id")),
                        row.getBoolean("open"),
                        Action.of(row.getInt("action")),
                        row.getString("title"),
                        row.getString("url"),
                        row.getString("path")))
                .list();
    }

    void delete(Tx tx, UserId user, List<Waiting> told) {
        tx.update("DELETE FROM inbox.letters WHERE user_id = :user AND item_id = ANY (:items)")
                .bind("user", user.value())
                .bindArray("items", Long.class, (Object[])
                        told.stream().map(one -> one.item().value()).toArray(Long[]::new))
                .execute();
    }

    void putOff(Tx tx, UserId user, Instant until) {
        tx.update("UPDATE inbox.letters SET due_at = :until WHERE user_id = :user AND due_at < :until")
                .bind("user", user.value())
                .bind("until", until.atOffset(ZoneOffset.UTC))
                .execute();
    }
}
