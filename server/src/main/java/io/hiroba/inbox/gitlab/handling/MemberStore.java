package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** What became of requests for access, in the database. */
final class MemberStore {

    /** Somebody was not let in, unless something later was told of them before. */
    void refuse(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        tx.update("""
                        INSERT INTO inbox.members AS m (namespace_id, person_id, access, changed_at)
                        VALUES (:namespace, :person, 0, :at)
                        ON CONFLICT (namespace_id, person_id) DO UPDATE SET changed_at = excluded.changed_at
                            WHERE m.changed_at < excluded.changed_at AND m.access = 0
                        """)
                .bind("namespace", namespace.value())
                .bind("person", person.value())
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** When somebody was last let in, sent away or refused. */
    Optional<Instant> changedAt(Reads reads, NamespaceId namespace, PersonId person) {
        return reads.query("""
                        SELECT changed_at FROM inbox.members WHERE namespace_id = :namespace AND person_id = :person
                        """)
                .bind("namespace", namespace.value())
                .bind("person", person.value())
                .map(row -> row.getObject("changed_at", OffsetDateTime.class).toInstant())
                .findOne();
    }
}
