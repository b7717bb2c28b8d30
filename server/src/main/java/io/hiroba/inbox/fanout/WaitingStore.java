package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What waits for people who have no account here yet, in the database. */
final class WaitingStore {

    private static final int AT_ONCE = 200;

    void insert(Tx tx, long id, PersonId person, News news, Instant now) {
        var author = news.author();
        if (news.moot()) {
            return;
        }
        tx.update("""
                        INSERT INTO inbox.waiting
                            (id, person_id, action, resource_id, author_id, author_person_id, happened_at, created_at)
                        VALUES (:id, :person, :action, :resource, :author, :authorPerson, :at, :now)
                        ON CONFLICT (person_id, resource_id, action) WHERE action NOT IN (2, 7, 10)
                            DO UPDATE SET happened_at = excluded.happened_at, author_id = excluded.author_id,
                                          author_person_id = excluded.author_person_id
                            WHERE excluded.happened_at > inbox.waiting.happened_at
                        """)
                .bind("id", id)
                .bind("person", person.value())
                .bind("action", news.action().code())
                .bind("resource", news.resource().id().value())
                .bind("author", author.user() == null ? null : author.user().value())
                .bind(
                        "authorPerson",
                        author.person() == null ? null : author.person().value())
                .bind("at", news.at().atOffset(ZoneOffset.UTC))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** What the things that {@link #take} takes are about. */
    List<ResourceId> resources(Tx tx, PersonId person) {
        return tx.query("""
                        SELECT DISTINCT resource_id
                        FROM (SELECT resource_id FROM inbox.waiting WHERE person_id = :person
                              ORDER BY id LIMIT :most) AS oldest
                        """)
                .bind("person", person.value())
                .bind("most", AT_ONCE)
                .map(row -> new ResourceId(row.getLong("resource_id")))
                .list();
    }

    /** Some of what waits for the person, the oldest first; it waits no longer. The rest is taken at the next look. */
    List<Kept> take(Tx tx, PersonId person) {
        return tx.query("""
                        WITH taken AS (
                            DELETE FROM inbox.waiting
                            WHERE id IN (SELECT id FROM inbox.waiting WHERE person_id = :person
                                         ORDER BY id LIMIT :most FOR UPDATE)
                            RETURNING id, action, resource_id, author_id, author_person_id, happened_at
                        )
                        SELECT action, resource_id, author_id, author_person_id, happened_at FROM taken ORDER BY id
                        """)
                .bind("person", person.value())
                .bind("most", AT_ONCE)
                .map(row -> kept(row))
                .list();
    }

    void withdraw(Tx tx, ResourceId resource, Action action, Collection<PersonId> people, Instant at) {
        tx.update("""
                        DELETE FROM inbox.waiting
                        WHERE resource_id = :resource AND action = :action AND person_id = ANY (:people)
                          AND happened_at <= :at
                        """)
                .bind("resource", resource.value())
                .bind("action", action.code())
                .bindArray("people", Long.class, (Object[])
                        people.stream().map(PersonId::value).toArray(Long[]::new))
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .execute();
    }

    void settle(Tx tx, ResourceId resource, Action action, PersonId author, Instant until) {
        tx.update("""
                        DELETE FROM inbox.waiting
                        WHERE resource_id = :resource AND action = :action AND author_person_id = :author
                          AND happened_at <= :until
                        """)
                .bind("resource", resource.value())
                .bind("action", action.code())
                .bind("author", author.value())
                .bind("until", until.atOffset(ZoneOffset.UTC))
                .execute();
    }

    private static Kept kept(ResultSet row) throws SQLException {
        return new Kept(
                Action.of(row.getInt("action")),
                new ResourceId(row.getLong("resource_id")),
                new Author(
                        optional(row, "author_id").map(UserId::new).orElse(null),
                        optional(row, "author_person_id").map(PersonId::new).orElse(null)),
                row.getObject("happened_at", OffsetDateTime.class).toInstant());
    }

    private static Optional<Long> optional(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(value);
    }
}
