package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Everybody's items that were done long ago. */
final class RetentionStore {

    /** Locks some that were done before {@code limit} and are not saved. */
    List<Owned> old(Tx tx, Instant limit, int most) {
        return tx.query("""
                        SELECT user_id, id
                        FROM inbox.notifications
                        WHERE state = 2 AND NOT saved AND resolved_at < :limit
                        ORDER BY resolved_at
                        LIMIT :most
                        FOR UPDATE SKIP LOCKED
                        """)
                .bind("limit", limit.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map(row -> Owned.of(row))
                .list();
    }

    void delete(Tx tx, UserId owner, List<ItemId> ids) {
        tx.update("DELETE FROM inbox.notifications WHERE user_id = :owner AND id = ANY (:ids)")
                .bind("owner", owner.value())
                .bindArray("ids", Long.class, (Object[])
                        ids.stream().map(ItemId::value).toArray(Long[]::new))
                .execute();
    }
}
