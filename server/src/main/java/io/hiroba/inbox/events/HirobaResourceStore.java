package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds mirrored resources of Hiroba itself and the users who have items about them. */
final class HirobaResourceStore {

    /** Finds those of the external ids that are mirrored. */
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

    /** Replaces the beginnings of external ids and paths, up to the id of the record. */
    void rename(Tx tx, ResourceType type, RecordRef before, RecordRef after) {
        tx.update("""
                        UPDATE inbox.resources
                        SET external_id = :after || right(external_id, 36), url = :url || right(external_id, 36)
                        WHERE connection_id = :connection AND type = :type AND starts_with(external_id, :before)
                          AND length(external_id) = length(:before) + 36
                        """)
                .bind("connection", ConnectionId.HIROBA.value())
                .bind("type", type.code())
                .bind("before", before.allIds())
                .bind("after", after.allIds())
                .bind("url", after.allUrls())
                .execute();
    }

    /** Finds those of the users whose accounts exist. */
    List<UserId> existing(Reads reads, Collection<UserId> users) {
        return reads.query("SELECT id FROM accounts.user_card WHERE id = ANY (:users) ORDER BY id")
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** Finds at most two users with this nickname, ignoring case. */
    List<UserId> named(Reads reads, String nickname) {
        return reads.query("SELECT id FROM accounts.user_card WHERE lower(nickname) = lower(:nickname) LIMIT 2")
                .bind("nickname", nickname)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** Finds the users who have items about the resource. */
    List<UserId> readers(Reads reads, Resource resource) {
        return reads.query("""
                        SELECT DISTINCT user_id FROM %s WHERE resource_id = :resource ORDER BY user_id
                        """.formatted(resource.type().links()))
                .bind("resource", resource.id().value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** Finds the users who have items in the namespace. */
    List<UserId> readers(Reads reads, NamespaceId namespace) {
        return reads.query("""
                        SELECT DISTINCT user_id FROM inbox.notifications WHERE namespace_id = :namespace ORDER BY user_id
                        """)
                .bind("namespace", namespace.value())
                .map(row -> new UserId(row.getLong("user_id")))
                .list();
    }

    /** Deletes the person of a deleted account. */
    void deletePerson(Tx tx, UserId user) {
        tx.update("""
                        DELETE FROM inbox.people
                        WHERE connection_id = :connection AND external_id = :user AND user_id IS NULL
                        """)
                .bind("connection", ConnectionId.HIROBA.value())
                .bind("user", user.hex())
                .execute();
    }
}
