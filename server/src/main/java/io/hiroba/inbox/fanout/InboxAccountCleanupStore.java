package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;

/** Deletes a user's data in batches. */
final class InboxAccountCleanupStore {

    /** Deletes claims and unlinks people. Those whom other connections know stay without an account. */
    void deleteIdentities(Tx tx, UserId user) {
        tx.update("DELETE FROM inbox.identities WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
        tx.update("DELETE FROM inbox.people WHERE connection_id = :here AND external_id = :user")
                .bind("here", ConnectionId.HIROBA.value())
                .bind("user", user.hex())
                .execute();
        tx.update("UPDATE inbox.people SET user_id = NULL WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    int deleteKeys(Tx tx, UserId user, int limit) {
        return tx.update("""
                        DELETE FROM inbox.resources
                        WHERE id IN (SELECT id FROM inbox.ssh_keys WHERE user_id = :user LIMIT :limit)
                        """).bind("user", user.value()).bind("limit", limit).execute();
    }

    int deleteItems(Tx tx, UserId user, int limit) {
        return tx.update("""
                        DELETE FROM inbox.notifications
                        WHERE user_id = :user
                          AND id IN (SELECT id FROM inbox.notifications WHERE user_id = :user LIMIT :limit)
                        """).bind("user", user.value()).bind("limit", limit).execute();
    }

    /** Other users keep their items, without an author. */
    int clearAuthor(Tx tx, UserId user, int limit) {
        return tx.update("""
                        UPDATE inbox.notifications n SET author_id = NULL
                        FROM (SELECT user_id, id FROM inbox.notifications WHERE author_id = :user
                              ORDER BY user_id, id LIMIT :limit FOR UPDATE) AS chosen
                        WHERE n.user_id = chosen.user_id AND n.id = chosen.id
                        """).bind("user", user.value()).bind("limit", limit).execute();
    }
}
