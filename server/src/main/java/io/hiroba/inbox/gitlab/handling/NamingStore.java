package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.PersonId;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Whom comments have named since when, in the database. */
final class NamingStore {

    Optional<Instant> since(Reads reads, ResourceId note, PersonId person) {
        return reads.query("""
                        SELECT named_at FROM inbox.namings WHERE resource_id = :note AND person_id = :person
                        """)
                .bind("note", note.value())
                .bind("person", person.value())
                .map(row -> row.getObject("named_at", OffsetDateTime.class).toInstant())
                .findOne();
    }

    void save(Tx tx, ResourceId note, PersonId person, Instant at) {
        tx.update("""
                        INSERT INTO inbox.namings (resource_id, person_id, named_at) VALUES (:note, :person, :at)
                        ON CONFLICT (resource_id, person_id) DO UPDATE SET named_at = excluded.named_at
                        """)
                .bind("note", note.value())
                .bind("person", person.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .execute();
    }
}
