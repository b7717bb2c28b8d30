package io.hiroba.platform.http;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;

/** Rows of throttles: the uses of each limit within its period. */
final class ThrottleStore {

    /** Adds a use unless there are {@code count} of them after {@code since}; concurrent ones wait for the row. */
    boolean use(Tx tx, String id, long count, long since, long now, long expires) {
        return tx.update("""
                        INSERT INTO platform.throttles AS t (id, uses_ms, expires_ms)
                        VALUES (:id, ARRAY[CAST(:now AS bigint)], :expires)
                        ON CONFLICT (id) DO UPDATE
                        SET uses_ms = ARRAY(SELECT u FROM unnest(t.uses_ms) u WHERE u > :since ORDER BY u) || excluded.uses_ms,
                            expires_ms = greatest(t.expires_ms, excluded.expires_ms)
                        WHERE (SELECT count(*) FROM unnest(t.uses_ms) u WHERE u > :since) < :count
                        """)
                        .bind("id", id)
                        .bind("now", now)
                        .bind("expires", expires)
                        .bind("since", since)
                        .bind("count", count)
                        .execute()
                == 1;
    }

    /** The earliest use after {@code since}; {@code since} if there is none any more. */
    long earliest(Reads reads, String id, long since) {
        return reads.query("""
                        SELECT coalesce(min(u), :since)
                        FROM platform.throttles t CROSS JOIN LATERAL unnest(t.uses_ms) u
                        WHERE t.id = :id AND u > :since
                        """)
                .bind("id", id)
                .bind("since", since)
                .mapTo(Long.class)
                .one();
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
