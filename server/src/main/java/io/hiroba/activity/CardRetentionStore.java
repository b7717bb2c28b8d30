package io.hiroba.activity;

import io.hiroba.platform.db.Tx;
import java.time.Instant;

/** Deletes expired rows. Cards expire by created_at: it never changes, so its index costs nothing when a card does. */
final class CardRetentionStore {

    static final String DELETE_CARDS = """
            WITH old AS MATERIALIZED (
                SELECT n.user_id, n.slot, n.term FROM activity.notifications n
                WHERE n.created_at < :before
                  AND NOT EXISTS (SELECT FROM activity.card_acts c
                                  WHERE c.user_id = n.user_id AND c.slot = n.slot AND c.term = n.term)
                ORDER BY n.created_at
                LIMIT :limit
                FOR UPDATE SKIP LOCKED)
            DELETE FROM activity.notifications n
            USING old
            WHERE n.user_id = old.user_id AND n.slot = old.slot AND n.term = old.term
            """;

    /** Deletes up to {@code limit} acts of the oldest cards. */
    int deleteActs(Tx tx, Instant before, int limit) {
        return delete(tx, """
                WITH old AS MATERIALIZED (
                    SELECT n.user_id, n.slot, n.term FROM activity.notifications n
                    WHERE n.created_at < :before
                    ORDER BY n.created_at
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED),
                gone AS MATERIALIZED (
                    SELECT a.user_id, a.slot, a.term, a.actor_id, a.post_id
                    FROM old
                    CROSS JOIN LATERAL (
                        SELECT c.user_id, c.slot, c.term, c.actor_id, c.post_id FROM activity.card_acts c
                        WHERE c.user_id = old.user_id AND c.slot = old.slot AND c.term = old.term
                        LIMIT :limit) a
                    LIMIT :limit)
                DELETE FROM activity.card_acts c
                USING gone g
                WHERE c.user_id = g.user_id AND c.slot = g.slot AND c.term = g.term
                  AND c.actor_id = g.actor_id AND c.post_id = g.post_id
                """, before, limit);
    }

    /** Deletes expired cards without acts; another node may still be deleting the acts of others. */
    int deleteCards(Tx tx, Instant before, int limit) {
        return delete(tx, DELETE_CARDS, before, limit);
    }

    int deleteUnfollowed(Tx tx, Instant before, int limit) {
        return delete(tx, """
                WITH old AS MATERIALIZED (
                    SELECT f.user_id, f.post_id FROM activity.followed_posts f
                    WHERE NOT f.active AND f.changed_at < :before
                    ORDER BY f.changed_at
                    LIMIT :limit
                    FOR UPDATE SKIP LOCKED)
                DELETE FROM activity.followed_posts f
                USING old
                WHERE f.user_id = old.user_id AND f.post_id = old.post_id
                """, before, limit);
    }

    private static int delete(Tx tx, String sql, Instant before, int limit) {
        return tx.update(sql).bind("before", before).bind("limit", limit).execute();
    }
}
