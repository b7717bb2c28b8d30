package io.hiroba.inbox.people;

import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** What waits, in the database. */
final class WaitingRoomStore {

    int expire(Tx tx, Instant before, int most) {
        return tx.update("""
                        DELETE FROM inbox.waiting
                        WHERE id IN (SELECT id FROM inbox.waiting WHERE created_at < :before
                                     ORDER BY created_at LIMIT :most FOR UPDATE SKIP LOCKED)
                        """)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .execute();
    }

    /**
     * Somebody for whom something waits.
     *
     * @param recognisable whether they are linked by now, or there is anything by which they could be
     */
    record Waiter(PersonId id, boolean recognisable) {}

    /** The next of those for whom something waits. */
    List<Waiter> next(Reads reads, PersonId after, int limit) {
        return reads.query("""
                        SELECT p.id,
                               p.user_id IS NOT NULL OR p.email IS NOT NULL
                               OR EXISTS (SELECT FROM inbox.identities i
                                          WHERE lower(i.username) = lower(p.username)) AS recognisable
                        FROM (SELECT DISTINCT person_id FROM inbox.waiting
                              WHERE person_id > :after ORDER BY person_id LIMIT :limit) w
                        JOIN inbox.people p ON p.id = w.person_id
                        ORDER BY p.id
                        """)
                .bind("after", after.value())
                .bind("limit", limit)
                .map((row, ctx) -> new Waiter(new PersonId(row.getLong("id")), row.getBoolean("recognisable")))
                .list();
    }
}
