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

    /** The next people for whom something waits. */
    List<PersonId> next(Reads reads, PersonId after, int limit) {
        return reads.query("""
                        SELECT DISTINCT w.person_id
                        FROM inbox.waiting w
                        WHERE w.person_id > :after
                        ORDER BY w.person_id
                        LIMIT :limit
                        """)
                .bind("after", after.value())
                .bind("limit", limit)
                .map((row, ctx) -> new PersonId(row.getLong("person_id")))
                .list();
    }
}
