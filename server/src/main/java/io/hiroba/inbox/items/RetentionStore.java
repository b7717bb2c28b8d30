package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Everybody's items that were done long ago. */
final class RetentionStore {

    /** Deletes some that were done before {@code limit} and are not saved, and answers whose they were. */
    List<UserId> delete(Tx tx, Instant limit, int most) {
        return tx.query("""
                        WITH old AS (
                            SELECT user_id, id
                            FROM inbox.notifications
                            WHERE state = 2 AND NOT saved AND resolved_at < :limit
                            ORDER BY resolved_at
                            LIMIT :most
                            FOR UPDATE SKIP LOCKED
                        )
                        DELETE FROM inbox.notifications n
                        USING old
                        WHERE n.user_id = old.user_id AND n.id = old.id
                        RETURNING n.user_id
                        """)
                .bind("limit", limit.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map((row, ctx) -> new UserId(row.getLong("user_id")))
                .list();
    }
}
