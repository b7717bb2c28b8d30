package io.hiroba.inbox.people;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.PersonId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** Members who have left and their items, in the database. */
final class AccessLossStore {

    /** Walks down from what was left, and stops wherever the person, or the user whom they are, belongs in their own right. */
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

    Optional<Leaver> lockDue(Tx tx, Instant now) {
        return tx.query("""
                        SELECT m.namespace_id, m.person_id, p.user_id
                        FROM inbox.members m
                        JOIN inbox.people p ON p.id = m.person_id
                        WHERE m.leaves_at <= :now
                        ORDER BY m.leaves_at
                        LIMIT 1
                        FOR UPDATE OF m SKIP LOCKED
                        """)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> leaver(row))
                .findOne();
    }

    int dropItems(Tx tx, Leaver leaver, Instant now, int most) {
        return bound(tx.update(LOST + """
                        DELETE FROM inbox.notifications
                        WHERE user_id = :user AND id IN (
                            SELECT n.id
                            FROM inbox.notifications n
                            WHERE n.user_id = :user AND n.namespace_id IN (SELECT id FROM lost)
                            ORDER BY n.id
                            LIMIT :most)
                        """), leaver, now).bind("most", most).execute();
    }

    /** What waits until they have an account here. */
    void dropWaiting(Tx tx, Leaver leaver, Instant now) {
        bound(tx.update(LOST + """
                        DELETE FROM inbox.waiting w
                        USING inbox.resources r
                        WHERE w.person_id = :person AND r.id = w.resource_id
                          AND r.namespace_id IN (SELECT id FROM lost)
                        """), leaver, now).execute();
    }

    private static Update bound(Update update, Leaver leaver, Instant now) {
        return update.bind("namespace", leaver.namespace().value())
                .bind("person", leaver.person().value())
                .bind("user", leaver.user().map(UserId::value).orElse(null))
                .bind("now", now.atOffset(ZoneOffset.UTC));
    }

    void settle(Tx tx, Leaver leaver) {
        tx.update("""
                        UPDATE inbox.members SET leaves_at = NULL
                        WHERE namespace_id = :namespace AND person_id = :person
                        """)
                .bind("namespace", leaver.namespace().value())
                .bind("person", leaver.person().value())
                .execute();
    }

    private static Leaver leaver(ResultSet row) throws SQLException {
        long user = row.getLong("user_id");
        Optional<UserId> account = row.wasNull() ? Optional.empty() : Optional.of(new UserId(user));
        return new Leaver(
                new NamespaceId(row.getLong("namespace_id")), new PersonId(row.getLong("person_id")), account);
    }
}
