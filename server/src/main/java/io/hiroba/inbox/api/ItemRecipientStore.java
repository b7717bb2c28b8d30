package io.hiroba.inbox.api;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.platform.db.Reads;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the users who have items about a resource. */
final class ItemRecipientStore {

    /** Finds those of the users whose accounts exist. */
    Set<UserId> existing(Reads reads, Collection<UserId> users) {
        return reads.query("SELECT id FROM accounts.user_card WHERE id = ANY (:users)")
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> new UserId(row.getLong("id")))
                .set();
    }

    /** Finds the users who have an item about it or about a comment on it. */
    List<UserId> owners(Reads reads, Resource resource) {
        return reads.query("""
                        SELECT user_id FROM %s WHERE resource_id = :resource
                        UNION
                        SELECT user_id FROM %s
                        WHERE resource_id IN (SELECT id FROM inbox.notes WHERE target_id = :resource)
                        ORDER BY user_id
                        """.formatted(resource.type().links(), ResourceType.NOTE.links()))
                .bind("resource", resource.id().value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** Whether the user has or had an item about it. */
    boolean hasItem(Reads reads, Resource resource, UserId user) {
        return reads.query("""
                        SELECT EXISTS (SELECT FROM %s WHERE user_id = :user AND resource_id = :resource)
                        """.formatted(resource.type().links()))
                .bind("user", user.value())
                .bind("resource", resource.id().value())
                .mapTo(Boolean.class)
                .one();
    }

    /** Finds those of the users who have such an item that is not done. */
    List<UserId> having(Reads reads, Resource resource, Action action, Collection<UserId> users) {
        return reads.query("""
                        SELECT DISTINCT user_id FROM inbox.notifications
                        WHERE user_id = ANY (:users) AND resource_id = :resource AND action = :action AND state < 2 /* not done */
                        """)
                .bindArray("users", Long.class, users, UserId::value)
                .bind("resource", resource.id().value())
                .bind("action", action.code())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    Optional<ItemId> pending(Reads reads, Resource resource, Action action, UserId user) {
        return reads.query("""
                        SELECT id FROM inbox.notifications
                        WHERE user_id = :user AND resource_id = :resource AND action = :action AND state < 2 /* not done */
                        LIMIT 1
                        """)
                .bind("user", user.value())
                .bind("resource", resource.id().value())
                .bind("action", action.code())
                .map(row -> new ItemId(row.getLong("id")))
                .findOne();
    }
}
