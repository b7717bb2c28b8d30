package io.hiroba.accounts.ai;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.List;
import java.util.Optional;

/** The table ai_actions. */
final class AiActionStore {

    void insert(Tx tx, UserId user, AiAction action) {
        tx.update("""
                        INSERT INTO accounts.ai_actions (user_id, id, payload)
                        VALUES (:user, :id, CAST(:payload AS jsonb))
                        """)
                .bind("user", user.value())
                .bind("id", action.id())
                .bind("payload", action.payload())
                .execute();
    }

    Optional<AiAction> find(Reads reads, UserId user, long id) {
        return reads.query("SELECT id, payload FROM accounts.ai_actions WHERE user_id = :user AND id = :id")
                .bind("user", user.value())
                .bind("id", id)
                .map(row -> new AiAction(row.getLong("id"), row.getString("payload")))
                .findOne();
    }

    List<AiAction> list(Reads reads, UserId user, long before, int limit) {
        return reads.query("""
                SELECT id, payload
                FROM accounts.ai_actions
                WHERE user_id = :user AND id < :before
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> new AiAction(row.getLong("id"), row.getString("payload")))
                .list();
    }
}
