package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is known of our own things, in the database. */
final class OwnStore {

    /** Which of these are mirrored, by the names they go by. */
    Set<String> mirrored(Reads reads, ResourceType type, Collection<String> externalIds) {
        if (externalIds.isEmpty()) {
            return new HashSet<>();
        }
        return new HashSet<>(reads.query("""
                        SELECT external_id FROM inbox.resources
                        WHERE connection_id = :connection AND type = :type AND external_id = ANY (:ids)
                        """)
                .bind("connection", ConnectionId.HIROBA.value())
                .bind("type", type.code())
                .bindArray("ids", String.class, (Object[]) externalIds.toArray(String[]::new))
                .mapTo(String.class)
                .list());
    }

    /** Those of the users whose accounts are there. */
    List<UserId> present(Reads reads, Collection<UserId> users) {
        return reads.query("SELECT id FROM accounts.user_card WHERE id = ANY (:users) ORDER BY id")
                .bindArray("users", Long.class, (Object[])
                        users.stream().map(UserId::value).toArray(Long[]::new))
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** Who goes by this nickname, whatever the case; two of them at most. */
    List<UserId> named(Reads reads, String nickname) {
        return reads.query("SELECT id FROM accounts.user_card WHERE lower(nickname) = lower(:nickname) LIMIT 2")
                .bind("nickname", nickname)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** Who has items about the resource. */
    List<UserId> readers(Reads reads, Resource resource) {
        return reads.query("""
                        SELECT DISTINCT user_id FROM %s WHERE resource_id = :resource ORDER BY user_id
                        """.formatted(resource.type().links()))
                .bind("resource", resource.id().value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** Who has items in the namespace. */
    List<UserId> readers(Reads reads, NamespaceId namespace) {
        return reads.query("""
                        SELECT DISTINCT user_id FROM inbox.notifications WHERE namespace_id = :namespace ORDER BY user_id
                        """)
                .bind("namespace", namespace.value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** Forgets somebody whose account is gone, as they were known to this program itself. */
    void forget(Tx tx, UserId user) {
        tx.update("""
                        DELETE FROM inbox.people
                        WHERE connection_id = :connection AND external_id = :user AND user_id IS NULL
                        """)
                .bind("connection", ConnectionId.HIROBA.value())
                .bind("user", user.hex())
                .execute();
    }
}
