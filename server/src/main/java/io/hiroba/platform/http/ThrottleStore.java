package io.hiroba.platform.http;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle.Limit;

/** Rows of throttles: the uses of each limit within its period. */
final class ThrottleStore {

    /** Adds a use if the limit leaves room for it; concurrent ones wait for the row. */
    boolean use(Tx tx, String id, Limit limit, long now) {
        return tx.update("""
                        INSERT INTO platform.throttles AS t (id, uses_ms, expires_ms)
                        VALUES (:id, ARRAY[CAST(:now AS bigint)], :now + :period)
                        ON CONFLICT (id) DO UPDATE
                        SET uses_ms = ARRAY(SELECT u FROM unnest(t.uses_ms) u WHERE u > :now - :period ORDER BY u) || excluded.uses_ms,
                            expires_ms = greatest(t.expires_ms, excluded.expires_ms)
                        WHERE (SELECT count(*) < :count
                                      AND (count(*) < :free
                                           OR max(u) + least(:maxDelay, 1000 * (1 << least(count(*) - :free, 20)::int)) <= :now)
                               FROM unnest(t.uses_ms) u WHERE u > :now - :period)
                        """)
                        .bind("id", id)
                        .bind("now", now)
                        .bind("period", limit.period().toMillis())
                        .bind("count", limit.count())
                        .bind("free", limit.free())
                        .bind("maxDelay", limit.maxDelay().toMillis())
                        .execute()
                == 1;
    }

    /** The moment at which the limit leaves room again. */
    long next(Reads reads, String id, Limit limit, long now) {
        return reads.query("""
                        SELECT coalesce(CASE WHEN count(*) >= :count THEN min(u) + :period
                                             ELSE max(u) + least(:maxDelay, 1000 * (1 << least(count(*) - :free, 20)::int)) END,
                                        CAST(:now AS bigint))
                        FROM platform.throttles t CROSS JOIN LATERAL unnest(t.uses_ms) u
                        WHERE t.id = :id AND u > :now - :period
                        """)
                .bind("id", id)
                .bind("now", now)
                .bind("period", limit.period().toMillis())
                .bind("count", limit.count())
                .bind("free", limit.free())
                .bind("maxDelay", limit.maxDelay().toMillis())
                .mapTo(Long.class)
                .one();
    }

    /** Removes one use of that moment. */
    void remove(Tx tx, String id, long at) {
        tx.update("""
                        UPDATE platform.throttles t
                        SET uses_ms = ARRAY(SELECT u FROM unnest(t.uses_ms) WITH ORDINALITY AS used (u, place)
                                            WHERE place IS DISTINCT FROM array_position(t.uses_ms, :at)
                                            ORDER BY place)
                        WHERE id = :id
                        """).bind("id", id).bind("at", at).execute();
    }

    void delete(Tx tx, String id) {
        tx.update("DELETE FROM platform.throttles WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    /** Deletes rows without a use within their period, but none that is being used. */
    int deleteExpired(Tx tx, long now, int max) {
        return tx.update("""
                        DELETE FROM platform.throttles
                        WHERE id IN (SELECT id FROM platform.throttles
                                     WHERE expires_ms <= :now
                                     ORDER BY expires_ms
                                     LIMIT :max
                                     FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("max", max).execute();
    }
}
