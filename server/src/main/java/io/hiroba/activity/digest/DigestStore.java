package io.hiroba.activity.digest;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who wants digests, when the next is due and what the last one told of. */
final class DigestStore {

    /** Somebody whose digest is due. */
    record Due(UserId user, Digest digest, @Nullable Instant until) {}

    /** Unread cards that no digest has told of, and the time of the newest. */
    record Untold(int count, @Nullable Instant newest) {}

    /** Locks the digest that is due longest, past those that others are at. */
    Optional<Due> claim(Tx tx, Instant now) {
        return claim(tx, "", now)
                .map(row -> new Due(
                        new UserId(row.getLong("user_id")),
                        Digest.find(row.getString("digest")).orElseThrow(),
                        instant(row, "digested_until")))
                .findOne();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query claim(Reads reads, String lead, Instant now) {
        return reads.query(lead + """
                        SELECT user_id, digest, digested_until
                        FROM activity.preferences
                        WHERE next_digest_at <= :now
                        ORDER BY next_digest_at
                        LIMIT 1
                        FOR UPDATE SKIP LOCKED
                        """).bind("now", now.atOffset(ZoneOffset.UTC));
    }

    Untold untold(Reads reads, UserId user, Instant after, int most) {
        return reads.query("""
                        SELECT count(*) AS count, max(newest.updated_at) AS newest
                        FROM (SELECT n.updated_at
                              FROM activity.notifications n
                              WHERE n.user_id = :user AND n.is_read = false AND n.updated_at > :after
                              ORDER BY n.updated_at DESC
                              LIMIT :most) AS newest
                        """)
                .bind("user", user.value())
                .bind("after", after.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map(row -> new Untold(row.getInt("count"), instant(row, "newest")))
                .one();
    }

    /** The digest was sent, and told of all cards up to {@code until}. */
    void sent(Tx tx, UserId user, Instant next, Instant until) {
        tx.update("""
                UPDATE activity.preferences
                SET next_digest_at = :next, digested_until = :until
                WHERE user_id = :user AND digest <> 'off'
                """)
                .bind("user", user.value())
                .bind("next", next.atOffset(ZoneOffset.UTC))
                .bind("until", until.atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** Puts off a digest that is due {@code now}; it will tell of what came {@code after}, whenever it goes out. */
    void putOff(Tx tx, UserId user, Instant now, Instant after, Instant next) {
        tx.update("""
                UPDATE activity.preferences
                SET next_digest_at = :next, digested_until = coalesce(digested_until, :after)
                WHERE user_id = :user AND next_digest_at <= :now
                """)
                .bind("user", user.value())
                .bind("after", after.atOffset(ZoneOffset.UTC))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("next", next.atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** Tries again at {@code next}, unless another node has sent it meanwhile, or nobody wants it any more. */
    void tryAgain(Tx tx, UserId user, Instant now, Instant next) {
        tx.update(
                        "UPDATE activity.preferences SET next_digest_at = :next WHERE user_id = :user AND next_digest_at <= :now")
                .bind("user", user.value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("next", next.atOffset(ZoneOffset.UTC))
                .execute();
    }

    void end(Tx tx, UserId user) {
        tx.update("""
                UPDATE activity.preferences
                SET digest = 'off', next_digest_at = NULL
                WHERE user_id = :user
                """).bind("user", user.value()).execute();
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        var time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
