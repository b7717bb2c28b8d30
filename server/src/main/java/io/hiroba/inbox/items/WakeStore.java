package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Everybody's snoozed items, by when they come back. */
final class WakeStore {

    /** When the next one comes back, if that is before {@code horizon}: no other is looked at. */
    Optional<Instant> next(Reads reads, Instant horizon) {
        return nextQuery(reads, "", horizon)
                .map(row -> row.getObject("snoozed_until", OffsetDateTime.class).toInstant())
                .findOne();
    }

    /** How {@link #next} is carried out, or what it finds if {@code lead} is empty. */
    Query nextQuery(Reads reads, String lead, Instant horizon) {
        return reads.query(lead + """
                SELECT snoozed_until
                FROM inbox.notifications
                WHERE state = 1 AND snoozed_until < :horizon
                ORDER BY snoozed_until
                LIMIT 1
                """).bind("horizon", horizon.atOffset(ZoneOffset.UTC));
    }

    /**
     * Locks some of those that are due. What another has in hand is left to them: either it is brought back there, or
     * its owner has just decided otherwise.
     */
    List<Owned> due(Tx tx, Instant now, int most) {
        return tx.query("""
                        SELECT user_id, id
                        FROM inbox.notifications
                        WHERE state = 1 AND snoozed_until <= :now
                        ORDER BY snoozed_until
                        LIMIT :most
                        FOR UPDATE SKIP LOCKED
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map(row -> Owned.of(row))
                .list();
    }

    void wake(Tx tx, UserId owner, List<ItemId> ids, Instant now) {
        tx.update("""
                        UPDATE inbox.notifications
                        SET state = 0, snoozed_event = NULL, read = FALSE, updated_at = :now
                        WHERE user_id = :owner AND id = ANY (:ids)
                        """)
                .bind("owner", owner.value())
                .bindArray("ids", Long.class, (Object[])
                        ids.stream().map(ItemId::value).toArray(Long[]::new))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .execute();
    }
}
