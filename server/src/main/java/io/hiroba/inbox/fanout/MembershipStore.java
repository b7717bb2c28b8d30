package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
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
                .map(row -> row.getObject("changed_at", OffsetDateTime.class).toInstant())
                .findOne();
    }
}
