package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.PersonId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state by which events that arrive out of order are ordered: times of participant syncs and mentions, and the results
 * of merge checks.
 */
final class EventStateStore {

    Optional<Instant> syncedAt(Reads reads, ResourceId resource, ParticipantRole role) {
        return reads.query(
                        "SELECT synced_at FROM inbox.participant_syncs WHERE resource_id = :resource AND role = :role")
                .bind("resource", resource.value())
                .bind("role", role.text())
                .map(row -> row.getObject("synced_at", OffsetDateTime.class).toInstant())
                .findOne();
    }

    void setSyncedAt(Tx tx, ResourceId resource, ParticipantRole role, Instant at) {
        tx.update("""
                        INSERT INTO inbox.participant_syncs (resource_id, role, synced_at) VALUES (:resource, :role, :at)
                        ON CONFLICT (resource_id, role) DO UPDATE SET synced_at = excluded.synced_at
                        """)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .bind("at", at)
                .execute();
    }

    Optional<Instant> mentionedAt(Reads reads, ResourceId note, PersonId person) {
        return reads.query("""
                        SELECT mentioned_at FROM inbox.note_mentions WHERE resource_id = :note AND person_id = :person
                        """)
                .bind("note", note.value())
                .bind("person", person.value())
                .map(row -> row.getObject("mentioned_at", OffsetDateTime.class).toInstant())
                .findOne();
    }

    void saveMention(Tx tx, ResourceId note, PersonId person, Instant at) {
        tx.update("""
                        INSERT INTO inbox.note_mentions (resource_id, person_id, mentioned_at) VALUES (:note, :person, :at)
                        ON CONFLICT (resource_id, person_id) DO UPDATE SET mentioned_at = excluded.mentioned_at
                        """)
                .bind("note", note.value())
                .bind("person", person.value())
                .bind("at", at)
                .execute();
    }

    record MergeCheck(Instant at, boolean conflicting, List<PersonId> owners) {}

    Optional<MergeCheck> mergeCheckBefore(Reads reads, ResourceId request, Instant at) {
        return reads.query("""
                        SELECT checked_at, conflicting, owners
                        FROM inbox.merge_checks
                        WHERE resource_id = :request AND checked_at < :at
                        ORDER BY checked_at DESC
                        LIMIT 1
                        """)
                .bind("request", request.value())
                .bind("at", at)
                .map(row -> mergeCheck(row))
                .findOne();
    }

    Optional<MergeCheck> mergeCheckAfter(Reads reads, ResourceId request, Instant at) {
        return reads.query("""
                        SELECT checked_at, conflicting, owners
                        FROM inbox.merge_checks
                        WHERE resource_id = :request AND checked_at > :at
                        ORDER BY checked_at
                        LIMIT 1
                        """)
                .bind("request", request.value())
                .bind("at", at)
                .map(row -> mergeCheck(row))
                .findOne();
    }

    void saveMergeCheck(Tx tx, ResourceId request, Instant at, boolean conflicting, List<ExternalPerson> owners) {
        tx.update("""
                        INSERT INTO inbox.merge_checks (resource_id, checked_at, conflicting, owners)
                        VALUES (:request, :at, :conflicting, :owners)
                        ON CONFLICT (resource_id, checked_at) DO UPDATE
                            SET conflicting = excluded.conflicting, owners = excluded.owners
                        """)
                .bind("request", request.value())
                .bind("at", at)
                .bind("conflicting", conflicting)
                .bindArray("owners", Long.class, owners, person -> person.id().value())
                .execute();
    }

    private static MergeCheck mergeCheck(ResultSet row) throws SQLException {
        var owners = (Long[]) row.getArray("owners").getArray();
        return new MergeCheck(
                row.getObject("checked_at", OffsetDateTime.class).toInstant(),
                row.getBoolean("conflicting"),
                Stream.of(owners).map(PersonId::new).toList());
    }
}
