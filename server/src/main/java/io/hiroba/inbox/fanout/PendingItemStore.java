package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows of items for people who have no account here yet. */
final class PendingItemStore {

    /** A notification that is kept for a person without an account. */
    record PendingItem(Action action, ResourceId resource, NotificationAuthor author, Instant at) {}

    private static final int BATCH_SIZE = 200;

    void insert(Tx tx, long id, PersonId person, NotificationRequest request, Instant now) {
        if (request.resolved()) {
            return;
        }
        tx.update("""
                        INSERT INTO inbox.pending_items
                            (id, person_id, action, resource_id, author_id, author_person_id, happened_at, created_at)
                        VALUES (:id, :person, :action, :resource, :author, :authorPerson, :at, :now)
                        ON CONFLICT (person_id, resource_id, action) WHERE action NOT IN (2, 7, 10) /* mentions and access requests */
                            DO UPDATE SET happened_at = excluded.happened_at, author_id = excluded.author_id,
                                          author_person_id = excluded.author_person_id
                            WHERE excluded.happened_at > inbox.pending_items.happened_at
                        """)
                .bind("id", id)
                .bind("person", person.value())
                .bind("action", request.action().code())
                .bind("resource", request.resource().id().value())
                .bind("author", request.author().userValue())
                .bind("authorPerson", request.author().personValue())
                .bind("at", request.at())
                .bind("now", now)
                .execute();
    }

    /** Finds the resources of the items that {@link #take} takes. */
    List<ResourceId> resources(Tx tx, PersonId person) {
        return tx.query("""
                        SELECT DISTINCT resource_id
                        FROM (SELECT resource_id FROM inbox.pending_items WHERE person_id = :person
                              ORDER BY id LIMIT :limit) AS oldest
                        """)
                .bind("person", person.value())
                .bind("limit", BATCH_SIZE)
                .map(row -> new ResourceId(row.getLong("resource_id")))
                .list();
    }

    /** Deletes and returns a batch of pending items, the oldest first. The rest is taken by the next lookup. */
    List<PendingItem> take(Tx tx, PersonId person) {
        return tx.query("""
                        WITH taken AS (
                            DELETE FROM inbox.pending_items
                            WHERE id IN (SELECT id FROM inbox.pending_items WHERE person_id = :person
                                         ORDER BY id LIMIT :limit FOR UPDATE)
                            RETURNING id, action, resource_id, author_id, author_person_id, happened_at
                        )
                        SELECT action, resource_id, author_id, author_person_id, happened_at FROM taken ORDER BY id
                        """)
                .bind("person", person.value())
                .bind("limit", BATCH_SIZE)
                .map(row -> pendingItem(row))
                .list();
    }

    void withdraw(Tx tx, ResourceId resource, Action action, Collection<PersonId> people, Instant at) {
        tx.update("""
                        DELETE FROM inbox.pending_items
                        WHERE resource_id = :resource AND action = :action AND person_id = ANY (:people)
                          AND happened_at <= :at
                        """)
                .bind("resource", resource.value())
                .bind("action", action.code())
                .bindArray("people", Long.class, people, PersonId::value)
                .bind("at", at)
                .execute();
    }

    int moveMention(Tx tx, PersonId person, Instant before, NotificationRequest request) {
        return tx.update("""
                        UPDATE inbox.pending_items
                        SET happened_at = :at, action = :action, author_id = :author, author_person_id = :authorPerson
                        WHERE resource_id = :resource AND person_id = :person AND action IN (2, 7) /* mentions */
                          AND happened_at = :before
                        """)
                .bind("at", request.at())
                .bind("action", request.action().code())
                .bind("author", request.author().userValue())
                .bind("authorPerson", request.author().personValue())
                .bind("resource", request.resource().id().value())
                .bind("person", person.value())
                .bind("before", before)
                .execute();
    }

    int deleteMention(Tx tx, ResourceId resource, PersonId person, Instant at) {
        return retract(tx, resource, Action.MENTIONED, person, at)
                + retract(tx, resource, Action.DIRECTLY_ADDRESSED, person, at);
    }

    /** Deletes the item of a request that turns out not to have been made. */
    int retract(Tx tx, ResourceId resource, Action action, PersonId person, Instant at) {
        return tx.update("""
                        DELETE FROM inbox.pending_items
                        WHERE resource_id = :resource AND action = :action AND person_id = :person AND happened_at = :at
                        """)
                .bind("resource", resource.value())
                .bind("action", action.code())
                .bind("person", person.value())
                .bind("at", at)
                .execute();
    }

    void deleteByAuthor(Tx tx, ResourceId resource, Action action, PersonId author, Instant until) {
        tx.update("""
                        DELETE FROM inbox.pending_items
                        WHERE resource_id = :resource AND action = :action AND author_person_id = :author
                          AND happened_at <= :until
                        """)
                .bind("resource", resource.value())
                .bind("action", action.code())
                .bind("author", author.value())
                .bind("until", until)
                .execute();
    }

    private static PendingItem pendingItem(ResultSet row) throws SQLException {
        return new PendingItem(
                Action.of(row.getInt("action")),
                new ResourceId(row.getLong("resource_id")),
                author(row),
                Columns.instant(row, "happened_at"));
    }

    static NotificationAuthor author(ResultSet row) throws SQLException {
        return new NotificationAuthor(
                optional(row, "author_id").map(UserId::new).orElse(null),
                optional(row, "author_person_id").map(PersonId::new).orElse(null));
    }

    private static Optional<Long> optional(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(value);
    }

    /** Finds those of the people for whom this very request is pending. */
    Set<PersonId> pendingFor(Reads reads, NotificationRequest request, List<ExternalPerson> people) {
        var unlinked = people.stream().filter(person -> person.user() == null).toList();
        if (unlinked.isEmpty()) {
            return Set.of();
        }
        return reads.query("""
                        SELECT person_id
                        FROM inbox.pending_items
                        WHERE resource_id = :resource AND person_id = ANY (:people)
                          AND action = :action AND happened_at = :at
                          AND (CAST(:author AS BIGINT) IS NULL OR author_person_id = :author)
                        """)
                .bind("resource", request.resource().id().value())
                .bindArray("people", Long.class, unlinked, person -> person.id().value())
                .bind("action", request.action().code())
                .bind("at", request.at())
                .bind("author", ItemFanoutStore.distinguishingAuthor(request))
                .map(row -> new PersonId(row.getLong("person_id")))
                .set();
    }

    int expire(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM inbox.pending_items
                        WHERE id IN (SELECT id FROM inbox.pending_items WHERE created_at < :before
                                     ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    /**
     * A person with pending items.
     *
     * @param known whether they are linked by now, or somebody claims their name
     */
    record PendingPerson(
            PersonId id, boolean known, @Nullable String email) {}

    List<PendingPerson> nextPeople(Reads reads, PersonId after, int limit) {
        return reads.query("""
                        SELECT p.id, p.email,
                               p.user_id IS NOT NULL
                               OR EXISTS (SELECT FROM inbox.identities i
                                          WHERE i.provider = 'gitlab' AND lower(i.username) = lower(p.username))
                               OR EXISTS (SELECT FROM inbox.identities i
                                          WHERE i.provider = 'gitlab' AND lower(i.email) = p.email) AS known
                        FROM (SELECT DISTINCT person_id FROM inbox.pending_items
                              WHERE person_id > :after ORDER BY person_id LIMIT :limit) w
                        JOIN inbox.people p ON p.id = w.person_id
                        ORDER BY p.id
                        """)
                .bind("after", after.value())
                .bind("limit", limit)
                .map(row -> new PendingPerson(
                        new PersonId(row.getLong("id")), row.getBoolean("known"), row.getString("email")))
                .list();
    }
}
