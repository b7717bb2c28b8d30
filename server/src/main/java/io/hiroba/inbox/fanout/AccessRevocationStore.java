package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** Claims lost memberships that are due and deletes the items behind them. */
final class AccessRevocationStore {

    /** A membership that was lost, whose grace period is over. */
    record LostMembership(NamespaceId namespace, PersonId person, Optional<UserId> user) {}

    /** Descends from the namespace that was left, and stops at namespaces that the person or their account is a member of. */
    private static final String LOST = """
            WITH RECURSIVE belongs AS (
                SELECT m.namespace_id
                FROM inbox.people p
                JOIN inbox.members m ON m.person_id = p.id
                WHERE (p.id = :person OR p.user_id = CAST(:user AS BIGINT)) AND (m.access > 0 OR m.leaves_at > :now)
            ), above AS (
                SELECT id, parent_id FROM inbox.namespaces WHERE id = :namespace
                UNION
                SELECT n.id, n.parent_id FROM inbox.namespaces n JOIN above ON n.id = above.parent_id
            ), lost AS (
                SELECT :namespace AS id
                WHERE NOT EXISTS (SELECT FROM above JOIN belongs ON belongs.namespace_id = above.id)
                UNION
                SELECT n.id
                FROM inbox.namespaces n
                JOIN lost ON n.parent_id = lost.id
                WHERE NOT EXISTS (SELECT FROM belongs WHERE belongs.namespace_id = n.id)
            )
            """;

    Optional<LostMembership> lockDue(Tx tx, Instant now) {
        return tx.query("""
                        SELECT m.namespace_id, m.person_id, p.user_id
                        FROM inbox.members m
                        JOIN inbox.people p ON p.id = m.person_id
                        WHERE m.leaves_at <= :now
                        ORDER BY m.leaves_at
                        LIMIT 1
                        FOR UPDATE OF m SKIP LOCKED
                        """).bind("now", now).map(row -> lostMembership(row)).findOne();
    }

    int deleteItems(Tx tx, LostMembership lost, Instant now, int limit) {
        return bound(tx.update(LOST + """
                        DELETE FROM inbox.notifications
                        WHERE user_id = :user AND id IN (
                            SELECT n.id
                            FROM inbox.notifications n
                            WHERE n.user_id = :user AND n.namespace_id IN (SELECT id FROM lost)
                            ORDER BY n.id
                            LIMIT :limit)
                        """), lost, now).bind("limit", limit).execute();
    }

    /** Deletes the pending items behind a lost membership. */
    void deletePending(Tx tx, LostMembership lost, Instant now) {
        bound(tx.update(LOST + """
                        DELETE FROM inbox.pending_items w
                        USING inbox.resources r
                        WHERE w.person_id = :person AND r.id = w.resource_id
                          AND r.namespace_id IN (SELECT id FROM lost)
                        """), lost, now).execute();
    }

    private static Update bound(Update update, LostMembership lost, Instant now) {
        return update.bind("namespace", lost.namespace().value())
                .bind("person", lost.person().value())
                .bind("user", lost.user().map(UserId::value).orElse(null))
                .bind("now", now);
    }

    void complete(Tx tx, LostMembership lost) {
        tx.update("""
                        UPDATE inbox.members SET leaves_at = NULL
                        WHERE namespace_id = :namespace AND person_id = :person
                        """)
                .bind("namespace", lost.namespace().value())
                .bind("person", lost.person().value())
                .execute();
    }

    private static LostMembership lostMembership(ResultSet row) throws SQLException {
        long user = row.getLong("user_id");
        Optional<UserId> account = row.wasNull() ? Optional.empty() : Optional.of(new UserId(user));
        return new LostMembership(
                new NamespaceId(row.getLong("namespace_id")), new PersonId(row.getLong("person_id")), account);
    }
}
