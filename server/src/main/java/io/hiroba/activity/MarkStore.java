package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The column is_read. */
final class MarkStore {

    /** Which card of a reader. */
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
                .bind(
                        "seen",
                        Objects.requireNonNullElse(seen, CardPosition.NEWEST.updatedAt())
                                .atOffset(ZoneOffset.UTC))
                .bind("user", reader.value())
                .bind("slot", slot)
                .bind("term", term)
                .mapTo(Boolean.class)
                .findOne();
    }

    /** Marks up to {@code most} cards that nobody is writing at the moment. */
    int markSome(Tx tx, UserId reader, boolean read, Instant upTo, int most) {
        return tx.update("""
                        WITH free AS MATERIALIZED (
                            SELECT n.slot, n.term FROM activity.notifications n
                            WHERE n.user_id = :user AND n.is_read = :before AND n.updated_at <= :upTo
                            ORDER BY n.updated_at
                            LIMIT :most
                            FOR NO KEY UPDATE SKIP LOCKED)
                        UPDATE activity.notifications n
                        SET is_read = :read
                        FROM free
                        WHERE n.user_id = :user AND n.slot = free.slot AND n.term = free.term
                        """)
                .bind("user", reader.value())
                .bind("before", !read)
                .bind("read", read)
                .bind("upTo", upTo.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .execute();
    }

    /** Cards that are still to be marked, {@code most} at most. */
    List<Key> left(Reads reads, UserId reader, boolean read, Instant upTo, int most) {
        return reads.query("""
                        SELECT n.slot, n.term FROM activity.notifications n
                        WHERE n.user_id = :user AND n.is_read = :before AND n.updated_at <= :upTo
                        ORDER BY n.updated_at
                        LIMIT :most
                        """)
                .bind("user", reader.value())
                .bind("before", !read)
                .bind("upTo", upTo.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map(row -> new Key(row.getString("slot"), row.getString("term")))
                .list();
    }

    /** The time that a card would get now. */
    Instant present(Reads reads) {
        return reads.query("SELECT clock_timestamp()")
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant();
    }
}
