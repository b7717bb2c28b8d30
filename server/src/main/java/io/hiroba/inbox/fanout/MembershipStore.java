package io.hiroba.inbox.fanout;

import static java.util.stream.Collectors.toMap;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the members of namespaces. The row of somebody who has left stays, so that an older event that arrives late
 * changes nothing. GitLab sends the event of a leaving with the time of the change before it, so of two events with the
 * same time the leaving counts.
 */
final class MembershipStore {

    void write(Tx tx, NamespaceId namespace, PersonId person, int access, Instant at, @Nullable Instant leaves) {
        tx.update("""
                        INSERT INTO inbox.members AS m (namespace_id, person_id, access, changed_at, leaves_at, has_left)
                        VALUES (:namespace, :person, :access, :at, :leaves, :access = 0)
                        ON CONFLICT (namespace_id, person_id) DO UPDATE
                            SET access = excluded.access, changed_at = excluded.changed_at, has_left = excluded.has_left,
                                leaves_at = CASE WHEN excluded.leaves_at IS NOT NULL
                                                 THEN coalesce(m.leaves_at, excluded.leaves_at) END
                            WHERE m.changed_at < excluded.changed_at
                               OR (m.changed_at = excluded.changed_at AND m.access > 0)
                        """)
                .bind("namespace", namespace.value())
                .bind("person", person.value())
                .bind("access", access)
                .bind("at", at)
                .bind("leaves", leaves)
                .execute();
    }

    List<ExternalPerson> withAccess(Reads reads, NamespaceId namespace, int least) {
        return reads.query("""
                        WITH RECURSIVE above AS (
                            SELECT id, parent_id FROM inbox.namespaces WHERE id = :namespace
                            UNION
                            SELECT n.id, n.parent_id FROM inbox.namespaces n JOIN above ON n.id = above.parent_id
                        )
                        SELECT DISTINCT p.id, p.username, p.user_id
                        FROM above
                        JOIN inbox.members m ON m.namespace_id = above.id
                        JOIN inbox.people p ON p.id = m.person_id
                        WHERE m.access >= :least AND m.leaves_at IS NULL
                        ORDER BY p.id
                        """)
                .bind("namespace", namespace.value())
                .bind("least", least)
                .map(row -> person(row))
                .list();
    }

    /**
     * The times at which those of the people left who belong to none of the namespaces any more and whose grace period is over.
     * Their rows are locked, so that a deletion of their items comes before or after the caller's transaction.
     *
     * @param lineage a namespace and its ancestors
     */
    Map<PersonId, Instant> leftAt(Tx tx, List<NamespaceId> lineage, Collection<ExternalPerson> people, Instant now) {
        return tx
                .query("""
                        SELECT m.person_id, m.changed_at
                        FROM inbox.members m
                        JOIN inbox.people p ON p.id = m.person_id
                        WHERE m.person_id = ANY (:people) AND m.namespace_id = ANY (:lineage)
                          AND m.has_left AND (m.leaves_at IS NULL OR m.leaves_at <= :now)
                          AND NOT EXISTS (SELECT FROM inbox.members other
                                          JOIN inbox.people self ON self.id = other.person_id
                                          WHERE (self.id = p.id OR self.user_id = p.user_id)
                                            AND other.namespace_id = ANY (:lineage)
                                            AND (other.access > 0 OR other.leaves_at > :now))
                        FOR SHARE OF m
                        """)
                .bindArray("people", Long.class, people, person -> person.id().value())
                .bindArray("lineage", Long.class, lineage, NamespaceId::value)
                .bind("now", now)
                .map(row -> Map.entry(new PersonId(row.getLong("person_id")), Columns.instant(row, "changed_at")))
                .list()
                .stream()
                .collect(toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one.isAfter(other) ? one : other));
    }

    private static ExternalPerson person(ResultSet row) throws SQLException {
        long user = row.getLong("user_id");
        var account = row.wasNull() ? null : new UserId(user);
        return new ExternalPerson(new PersonId(row.getLong("id")), row.getString("username"), account);
    }

    /** Records that a request for access was refused, unless something later is known. */
    void refuse(Tx tx, NamespaceId namespace, PersonId person, Instant at) {
        tx.update("""
                        INSERT INTO inbox.members AS m (namespace_id, person_id, access, changed_at)
                        VALUES (:namespace, :person, 0, :at)
                        ON CONFLICT (namespace_id, person_id) DO UPDATE SET changed_at = excluded.changed_at
                            WHERE m.changed_at < excluded.changed_at AND m.access = 0
                        """)
                .bind("namespace", namespace.value())
                .bind("person", person.value())
                .bind("at", at)
                .execute();
    }

    Optional<Instant> changedAt(Reads reads, NamespaceId namespace, PersonId person) {
        return reads.query("""
                        SELECT changed_at FROM inbox.members WHERE namespace_id = :namespace AND person_id = :person
                        """)
                .bind("namespace", namespace.value())
                .bind("person", person.value())
                .map(row -> Columns.instant(row, "changed_at"))
                .findOne();
    }
}
