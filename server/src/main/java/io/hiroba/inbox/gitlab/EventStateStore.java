package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.PersonId;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state by which events that arrive out of order are ordered: lists of participants, times of mentions, and the
 * results of merge checks.
 */
final class EventStateStore {

    /**
     * A list of the participants of a role.
     *
     * @param added those of whom the event says that it added them
     * @param since as of when somebody is asked whose addition was missed, if no list before is known; empty if the resource
     *     was not open
     */
    record Sync(Instant at, List<PersonId> people, List<PersonId> added, Optional<Instant> since) {

        boolean isUnannounced(PersonId person) {
            return people.contains(person) && !added.contains(person);
        }
    }

    private static final String SYNCS = """
            SELECT synced_at, people, added, since
            FROM inbox.participant_syncs
            WHERE resource_id = :resource AND role = :role AND
            """;

    Optional<Sync> syncBefore(Reads reads, ResourceId resource, ParticipantRole role, Instant at) {
        return sync(reads, "synced_at < :at ORDER BY synced_at DESC LIMIT 1", resource, role, at);
    }

    Optional<Sync> syncAt(Reads reads, ResourceId resource, ParticipantRole role, Instant at) {
        return sync(reads, "synced_at = :at", resource, role, at);
    }

    Optional<Sync> syncAfter(Reads reads, ResourceId resource, ParticipantRole role, Instant at) {
        return sync(reads, "synced_at > :at ORDER BY synced_at LIMIT 1", resource, role, at);
    }

    private static Optional<Sync> sync(
            Reads reads, String condition, ResourceId resource, ParticipantRole role, Instant at) {
        return reads.query(SYNCS + condition)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .bind("at", at)
                .map(row -> new Sync(
                        Columns.instant(row, "synced_at"),
                        people(row, "people"),
                        people(row, "added"),
                        Optional.ofNullable(Columns.instantOrNull(row, "since"))))
                .findOne();
    }

    void saveSync(Tx tx, ResourceId resource, ParticipantRole role, Sync sync) {
        tx.update("""
                        INSERT INTO inbox.participant_syncs (resource_id, role, synced_at, people, added, since)
                        VALUES (:resource, :role, :at, :people, :added, :since)
                        ON CONFLICT (resource_id, role, synced_at) DO UPDATE
                            SET people = excluded.people, added = excluded.added, since = excluded.since
                        """)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .bind("at", sync.at())
                .bindArray("people", Long.class, sync.people(), PersonId::value)
                .bindArray("added", Long.class, sync.added(), PersonId::value)
                .bind("since", sync.since().orElse(null))
                .execute();
    }

    Optional<Instant> mentionedAt(Reads reads, ResourceId note, PersonId person) {
        return reads.query("""
                        SELECT mentioned_at FROM inbox.note_mentions WHERE resource_id = :note AND person_id = :person
                        """)
                .bind("note", note.value())
                .bind("person", person.value())
                .map(row -> Columns.instant(row, "mentioned_at"))
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
        return new MergeCheck(Columns.instant(row, "checked_at"), row.getBoolean("conflicting"), people(row, "owners"));
    }

    private static List<PersonId> people(ResultSet row, String column) throws SQLException {
        return Stream.of((Long[]) row.getArray(column).getArray())
                .map(PersonId::new)
                .toList();
    }
}
