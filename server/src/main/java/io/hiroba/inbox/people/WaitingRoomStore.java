package io.hiroba.inbox.people;

import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
     * @param known whether they are linked by now, or somebody claims their name
     */
    record Waiter(PersonId id, boolean known, @Nullable String email) {}

    /** The next of those for whom something waits. */
    List<Waiter> next(Reads reads, PersonId after, int limit) {
        return reads.query("""
                        SELECT p.id, p.email,
                               p.user_id IS NOT NULL
                               OR EXISTS (SELECT FROM inbox.identities i
                                          WHERE i.provider = 'gitlab' AND lower(i.username) = lower(p.username))
                               OR EXISTS (SELECT FROM inbox.identities i
                                          WHERE i.provider = 'gitlab' AND lower(i.email) = p.email) AS known
                        FROM (SELECT DISTINCT person_id FROM inbox.waiting
                              WHERE person_id > :after ORDER BY person_id LIMIT :limit) w
                        JOIN inbox.people p ON p.id = w.person_id
                        ORDER BY p.id
                        """)
                .bind("after", after.value())
                .bind("limit", limit)
                .map(row ->
                        new Waiter(new PersonId(row.getLong("id")), row.getBoolean("known"), row.getString("email")))
                .list();
    }
}
