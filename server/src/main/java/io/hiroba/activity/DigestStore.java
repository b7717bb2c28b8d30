package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Schedules of digests, and the cards that none has covered yet. */
final class DigestStore {

    /** A digest that is due; the last one covered all cards up to {@code until}. */
    record Due(
            UserId user,
            DigestFrequency frequency,
            @Nullable Instant until) {}

    /** The number of unread cards that no digest has covered, and the time of the newest. */
    record Uncovered(int count, @Nullable Instant newest) {}

    /** Locks the digest that has been due for longest, skipping locked ones. */
    Optional<Due> claim(Tx tx, Instant now) {
        return claim(tx, "", now)
                .map(row -> new Due(
                        new UserId(row.getLong("user_id")),
                        DigestFrequency.find(row.getString("digest")).orElseThrow(),
                        Columns.instantOrNull(row, "digested_until")))
                .findOne();
    }

    /** {@code prefix} may be EXPLAIN. */
    static Query claim(Reads reads, String prefix, Instant now) {
        return reads.query(prefix + """
                        SELECT user_id, digest, digested_until
                        FROM activity.preferences
                        WHERE next_digest_at <= :now
                        ORDER BY next_digest_at
                        LIMIT 1
                        FOR UPDATE SKIP LOCKED
                        """).bind("now", now);
    }

    Uncovered uncovered(Reads reads, UserId user, Instant after, int max) {
        return reads.query("""
                        SELECT count(*) AS count, max(newest.updated_at) AS newest
                        FROM (SELECT n.updated_at
                              FROM activity.notifications n
                              WHERE n.user_id = :user AND n.is_read = false AND n.updated_at > :after
                              ORDER BY n.updated_at DESC
                              LIMIT :max) AS newest
                        """)
                .bind("user", user.value())
                .bind("after", after)
                .bind("max", max)
                .map(row -> new Uncovered(row.getInt("count"), Columns.instantOrNull(row, "newest")))
                .one();
    }

    /** Records that a digest was sent that covers all cards up to {@code until}. */
    void recordSent(Tx tx, UserId user, Instant next, Instant until) {
        tx.update("""
                UPDATE activity.preferences
                SET next_digest_at = :next, digested_until = :until
                WHERE user_id = :user AND digest <> 'off'
                """)
                .bind("user", user.value())
                .bind("next", next)
                .bind("until", until)
                .execute();
    }

    /** Reschedules a digest that is due {@code now}; it will cover all cards {@code after}. */
    void reschedule(Tx tx, UserId user, Instant now, Instant after, Instant next) {
        tx.update("""
                UPDATE activity.preferences
                SET next_digest_at = :next, digested_until = coalesce(digested_until, :after)
                WHERE user_id = :user AND next_digest_at <= :now
                """)
                .bind("user", user.value())
                .bind("after", after)
                .bind("now", now)
                .bind("next", next)
                .execute();
    }

    /** Retries at {@code next}, unless another node has sent it meanwhile or it was turned off. */
    void retry(Tx tx, UserId user, Instant now, Instant next) {
        tx.update(
                        "UPDATE activity.preferences SET next_digest_at = :next WHERE user_id = :user AND next_digest_at <= :now")
                .bind("user", user.value())
                .bind("now", now)
                .bind("next", next)
                .execute();
    }

    void turnOff(Tx tx, UserId user) {
        tx.update("""
                UPDATE activity.preferences
                SET digest = 'off', next_digest_at = NULL
                WHERE user_id = :user
                """).bind("user", user.value()).execute();
    }
}
