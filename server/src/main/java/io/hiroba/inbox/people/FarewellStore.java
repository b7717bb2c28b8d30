package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.db.Tx;

/** The SQL that takes away somebody's inbox. */
final class FarewellStore {

    /** Those whom other places know stay as strangers; who they were here is gone. */
    void forget(Tx tx, UserId user) {
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

    int deleteKeys(Tx tx, UserId user, int most) {
        return tx.update("""
                        DELETE FROM inbox.resources
                        WHERE id IN (SELECT id FROM inbox.ssh_keys WHERE user_id = :user LIMIT :most)
                        """).bind("user", user.value()).bind("most", most).execute();
    }

    int deleteItems(Tx tx, UserId user, int most) {
        return tx.update("""
                        DELETE FROM inbox.notifications
                        WHERE user_id = :user
                          AND id IN (SELECT id FROM inbox.notifications WHERE user_id = :user LIMIT :most)
                        """).bind("user", user.value()).bind("most", most).execute();
    }

    /** Others keep their items, which were brought about by nobody any more. */
    int leaveItemsOfOthers(Tx tx, UserId user, int most) {
        return tx.update("""
                        UPDATE inbox.notifications n SET author_id = NULL
                        FROM (SELECT user_id, id FROM inbox.notifications WHERE author_id = :user
                              ORDER BY user_id, id LIMIT :most FOR UPDATE) AS chosen
                        WHERE n.user_id = chosen.user_id AND n.id = chosen.id
                        """).bind("user", user.value()).bind("most", most).execute();
    }
}
