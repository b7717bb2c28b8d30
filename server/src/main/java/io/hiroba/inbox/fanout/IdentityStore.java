package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of claims to external names. */
final class IdentityStore {

    /**
     * A person who has a claimed name.
     *
     * @param open whether their GitLab links any claim
     * @param successor whether the claimant's own person there had the name before
     */
    record Namesake(
            PersonId id, @Nullable UserId user, @Nullable String email, boolean open, boolean successor) {

        static Namesake of(ResultSet row) throws SQLException {
            long user = row.getLong("user_id");
            var account = row.wasNull() ? null : new UserId(user);
            return new Namesake(
                    new PersonId(row.getLong("id")),
                    account,
                    row.getString("email"),
                    row.getBoolean("open"),
                    row.getBoolean("successor"));
        }

        boolean isLinkedToOther(UserId other) {
            return user != null && !user.equals(other);
        }
    }

    private static final String WAITING = """
            (NOT i.confirmed
             AND (i.email IS NOT NULL
                  OR EXISTS (SELECT FROM inbox.connections c
                             WHERE c.kind = i.provider AND c.linking = 'confirmed'
                               AND (i.connection_id IS NULL OR c.id = i.connection_id))))
            """;
    private static final String SELECT = """
            SELECT i.id, i.user_id, i.connection_id, i.username, i.email, i.confirmed, i.created_at, %s AS waiting
            FROM inbox.identities i
            """.formatted(WAITING);

    /** Locks the name until the transaction ends, also if nobody has claimed it yet. */
    void lockName(Tx tx, ExternalName name) {
        tx.lock("inbox.identity", name.key());
    }

    boolean isGitlab(Reads reads, ConnectionId connection) {
        return reads.query("SELECT EXISTS (SELECT FROM inbox.connections WHERE id = :id AND kind = 'gitlab')")
                .bind("id", connection.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** All claims to the name at the same connections. */
    List<ExternalIdentity> holders(Reads reads, ExternalName name) {
        return named(reads.query(SELECT + """
                                WHERE i.provider = 'gitlab'
                                  AND (lower(i.username) = :username OR lower(i.email) = :email)
                                  AND (i.connection_id IS NULL OR CAST(:connection AS BIGINT) IS NULL
                                       OR i.connection_id = :connection)
                                ORDER BY i.id
                                """), name).map(row -> identity(row)).list();
    }

    /** Whether every GitLab of the claim knows the name with this e-mail address. */
    boolean isVerifiedByEmail(Reads reads, ExternalName name, Email own) {
        return named(reads.query("""
                                SELECT coalesce(bool_and(EXISTS (
                                           SELECT FROM inbox.people p
                                           WHERE p.connection_id = c.id AND lower(p.username) = :username
                                             AND p.email = :own)), FALSE) AND CAST(:email AS TEXT) IS NULL
                                FROM inbox.connections c
                                WHERE c.kind = 'gitlab' AND (CAST(:connection AS BIGINT) IS NULL OR c.id = :connection)
                                """), name)
                .bind("own", own.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** Finds the people with the name at the connections of the claim. */
    List<Namesake> namesakes(Reads reads, UserId user, ExternalName name) {
        return named(reads.query("""
                                SELECT p.id, p.user_id, p.email, c.linking = 'open' AS open,
                                       EXISTS (SELECT FROM inbox.people own
                                               WHERE own.user_id = :user AND own.connection_id = c.id AND own.id <> p.id
                                                 AND CAST(:username AS TEXT) = ANY (own.former_usernames)) AS successor
                                FROM inbox.people p
                                JOIN inbox.connections c ON c.id = p.connection_id
                                WHERE c.kind = 'gitlab'
                                  AND (CAST(:connection AS BIGINT) IS NULL OR c.id = :connection)
                                  AND (lower(p.username) = :username OR p.email = :email)
                                ORDER BY p.id
                                """), name)
                .bind("user", user.value())
                .map(row -> Namesake.of(row))
                .list();
    }

    void insert(Tx tx, long id, UserId user, ExternalName name, boolean confirmed) {
        tx.update("""
                        INSERT INTO inbox.identities (id, user_id, provider, connection_id, username, email, confirmed)
                        VALUES (:id, :user, 'gitlab', :connection, :username, :email, :confirmed)
                        """)
                .bind("id", id)
                .bind("user", user.value())
                .bind(
                        "connection",
                        name.connection() == null ? null : name.connection().value())
                .bind("username", name.username())
                .bind("email", name.email())
                .bind("confirmed", confirmed)
                .execute();
    }

    void confirm(Tx tx, IdentityId id) {
        tx.update("UPDATE inbox.identities SET confirmed = TRUE WHERE id = :id AND NOT confirmed")
                .bind("id", id.value())
                .execute();
    }

    /**
     * Lets the newest claim of a former name of a person, by the account that they are linked to, follow to the name that they
     * have now. A claim for every GitLab follows if there is only one; a name that is claimed already is left alone.
     */
    void rename(Tx tx, PersonId person) {
        tx.update("""
                        UPDATE inbox.identities SET username = renamed.username
                        FROM (SELECT i.id, p.username
                              FROM inbox.people p
                              JOIN inbox.connections c ON c.id = p.connection_id
                              JOIN inbox.identities i ON i.user_id = p.user_id AND i.provider = c.kind
                                   AND lower(i.username) = ANY (p.former_usernames)
                                   AND (i.connection_id = c.id
                                        OR i.connection_id IS NULL
                                           AND NOT EXISTS (SELECT FROM inbox.connections o WHERE o.kind = c.kind AND o.id <> c.id))
                              WHERE p.id = :person
                                AND NOT EXISTS (SELECT FROM inbox.identities taken
                                                WHERE taken.provider = c.kind AND lower(taken.username) = lower(p.username)
                                                  AND (taken.connection_id IS NULL OR taken.connection_id = c.id))
                              ORDER BY i.id DESC
                              LIMIT 1) AS renamed
                        WHERE identities.id = renamed.id
                        """).bind("person", person.value()).execute();
    }

    Optional<ExternalIdentity> find(Reads reads, IdentityId id) {
        return reads.query(SELECT + "WHERE i.id = :id")
                .bind("id", id.value())
                .map(row -> identity(row))
                .findOne();
    }

    List<ExternalIdentity> of(Reads reads, UserId user) {
        return reads.query(SELECT + "WHERE i.user_id = :user ORDER BY i.id")
                .bind("user", user.value())
                .map(row -> identity(row))
                .list();
    }

    List<ExternalIdentity> waiting(Reads reads, IdentityId after, int limit) {
        return reads.query(SELECT + "WHERE i.id > :after AND " + WAITING + " ORDER BY i.id LIMIT :limit")
                .bind("after", after.value())
                .bind("limit", limit)
                .map(row -> identity(row))
                .list();
    }

    /** A person who is no longer linked to an account, with their e-mail address. */
    record UnlinkedPerson(ConnectionId connection, @Nullable String email) {}

    /** Deletes a claim and unlinks the people whom no other claim links to the user; returns those. */
    List<UnlinkedPerson> delete(Tx tx, ExternalIdentity identity) {
        tx.update("DELETE FROM inbox.identities WHERE id = :id")
                .bind("id", identity.id().value())
                .execute();
        return named(tx.query("""
                                UPDATE inbox.people p SET user_id = NULL
                                FROM inbox.connections c
                                WHERE c.id = p.connection_id AND c.kind = 'gitlab' AND p.user_id = :user
                                  AND (CAST(:connection AS BIGINT) IS NULL OR c.id = :connection)
                                  AND (lower(p.username) = :username OR p.email = :email
                                       OR CAST(:username AS TEXT) = ANY (p.former_usernames))
                                  AND NOT EXISTS (
                                      SELECT FROM inbox.identities i
                                      WHERE i.user_id = :user AND i.provider = c.kind
                                        AND (i.connection_id IS NULL OR i.connection_id = c.id)
                                        AND (i.confirmed OR (c.linking = 'open' AND i.username IS NOT NULL))
                                        AND (lower(i.username) = lower(p.username) OR lower(i.email) = p.email))
                                RETURNING p.connection_id, p.email
                                """), identity.name())
                .bind("user", identity.user().value())
                .map(row -> new UnlinkedPerson(new ConnectionId(row.getLong("connection_id")), row.getString("email")))
                .list();
    }

    /** Deletes the user's items from these connections, except those where they are still linked. */
    int deleteItems(Tx tx, UserId user, Collection<ConnectionId> connections) {
        if (connections.isEmpty()) {
            return 0;
        }
        return tx.update("""
                        DELETE FROM inbox.notifications n
                        USING inbox.resources r
                        WHERE n.user_id = :user AND r.id = n.resource_id AND r.connection_id = ANY (:connections)
                          AND NOT EXISTS (SELECT FROM inbox.people p
                                          WHERE p.user_id = :user AND p.connection_id = r.connection_id)
                        """)
                .bind("user", user.value())
                .bindArray("connections", Long.class, connections, ConnectionId::value)
                .execute();
    }

    private static <T extends SqlStatement<T>> T named(T statement, ExternalName name) {
        return statement
                .bind("username", name.username() == null ? null : name.key())
                .bind("email", name.email())
                .bind(
                        "connection",
                        name.connection() == null ? null : name.connection().value());
    }

    private static ExternalIdentity identity(ResultSet row) throws SQLException {
        long connection = row.getLong("connection_id");
        var at = row.wasNull() ? null : new ConnectionId(connection);
        return new ExternalIdentity(
                new IdentityId(row.getLong("id")),
                new UserId(row.getLong("user_id")),
                new ExternalName(at, row.getString("username"), row.getString("email")),
                row.getBoolean("confirmed"),
                row.getBoolean("waiting"),
                Columns.instant(row, "created_at"));
    }
}
