package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Reads the events that led to a card, for the report of a difference. */
final class CardEventTrace {

    private CardEventTrace() {}

    static List<String> of(Handle handle, CardIdentity card) {
        return handle.createQuery("""
                        SELECT e.event_id, e.payload::text AS payload
                        FROM platform.event_logs e
                        WHERE e.partition_id = platform.event_partition(:user)
                          AND CASE WHEN :post = ''
                                   THEN e.payload ->> 'followeeId' = :hex OR e.payload ->> 'toldId' = :hex
                                   ELSE e.payload ->> 'postId' = :post OR e.payload ->> 'replyToPostId' = :post
                                     OR e.payload ->> 'toldId' = :hex END
                        ORDER BY e.event_id
                        """)
                .bind("user", card.user())
                .bind("hex", Ids.hex(card.user()))
                .bind("post", card.post())
                .map((row, ctx) -> Ids.createdAt(row.getLong("event_id")) + " " + row.getString("payload"))
                .list();
    }
}
