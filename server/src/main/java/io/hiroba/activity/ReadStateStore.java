package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements on the column {@code is_read} of cards. */
final class ReadStateStore {

    /** The key of a card among those of a reader. */
    record Key(String slot, String term) {}

    /** Whether the card is read now; none if there is no such card. */
    Optional<Boolean> mark(Tx tx, UserId reader, String slot, String term, boolean read, @Nullable Instant seen) {
        return tx.query("""
                        UPDATE activity.notifications
                        SET is_read = CASE WHEN :read AND updated_at > :seen THEN is_read ELSE :read END
                        WHERE user_id = :user AND slot = :slot AND term = :term
                        RETURNING is_read
                        """)
                .bind("read", read)
                .bind("seen", Objects.requireNonNullElse(seen, CardPosition.NEWEST.updatedAt()))
                .bind("user", reader.value())
                .bind("slot", slot)
                .bind("term", term)
                .mapTo(Boolean.class)
                .findOne();
    }

    /** Marks up to {@code limit} cards whose rows are not locked. */
    int markBatch(Tx tx, UserId reader, boolean read, Instant upTo, int limit) {
        return tx.update("""
                        WITH unlocked AS MATERIALIZED (
                            SELECT n.slot, n.term FROM activity.notifications n
                            WHERE n.user_id = :user AND n.is_read = :before AND n.updated_at <= :upTo
                            ORDER BY n.updated_at
                            LIMIT :limit
                            FOR NO KEY UPDATE SKIP LOCKED)
                        UPDATE activity.notifications n
                        SET is_read = :read
                        FROM unlocked
                        WHERE n.user_id = :user AND n.slot = unlocked.slot AND n.term = unlocked.term
                        """)
                .bind("user", reader.value())
                .bind("before", !read)
                .bind("read", read)
                .bind("upTo", upTo)
                .bind("limit", limit)
                .execute();
    }

    /** Up to {@code limit} cards that are still to be marked. */
    List<Key> left(Reads reads, UserId reader, boolean read, Instant upTo, int limit) {
        return reads.query("""
                        SELECT n.slot, n.term FROM activity.notifications n
                        WHERE n.user_id = :user AND n.is_read = :before AND n.updated_at <= :upTo
                        ORDER BY n.updated_at
                        LIMIT :limit
                        """)
                .bind("user", reader.value())
                .bind("before", !read)
                .bind("upTo", upTo)
                .bind("limit", limit)
                .map(row -> new Key(row.getString("slot"), row.getString("term")))
                .list();
    }

    /** The time that a card would get now: the database's. */
    Instant now(Reads reads) {
        return reads.query("SELECT clock_timestamp()").mapTo(Instant.class).one();
    }
}
