package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of people. */
final class ExternalPersonStore {

    /** A row of a person with all names that identify them. */
    record PersonRow(
            PersonId id,
            @Nullable String externalId,
            @Nullable String username,
            @Nullable String email,
            @Nullable UserId user) {

        ExternalPerson person() {
            return new ExternalPerson(id, username, user);
        }

        /** Whether the account of somebody here has another user name than before. */
        boolean isRenamedFrom(PersonRow before) {
            return user != null && username != null && !username.equalsIgnoreCase(before.username);
        }
    }

    private static final String SELECT = "SELECT id, external_id, username, email, user_id FROM inbox.people ";

    Optional<ExternalPerson> find(Reads reads, PersonId id) {
        return reads.query("SELECT id, username, user_id FROM inbox.people WHERE id = :id")
                .bind("id", id.value())
                .map(row -> person(row))
                .findOne();
    }

    Optional<PersonRow> lock(Tx tx, PersonId id) {
        return tx.query(SELECT + "WHERE id = :id FOR UPDATE")
                .bind("id", id.value())
                .map(row -> row(row))
                .findOne();
    }

    ConnectionId connection(Reads reads, PersonId id) {
        return reads.query("SELECT connection_id FROM inbox.people WHERE id = :id")
                .bind("id", id.value())
                .map(row -> new ConnectionId(row.getLong("connection_id")))
                .one();
    }

    Optional<PersonRow> byExternalId(Reads reads, ConnectionId connection, String externalId) {
        return reads.query(SELECT + "WHERE connection_id = :connection AND external_id = :external")
                .bind("connection", connection.value())
                .bind("external", externalId)
                .map(row -> row(row))
                .findOne();
    }

    Optional<PersonRow> byUsername(Reads reads, ConnectionId connection, @Nullable String username) {
        return reads.query(SELECT + "WHERE connection_id = :connection AND lower(username) = lower(:username)")
                .bind("connection", connection.value())
                .bind("username", username)
                .map(row -> row(row))
                .findOne();
    }

    Optional<PersonRow> byEmail(Reads reads, ConnectionId connection, String email) {
        return reads.query(SELECT + "WHERE connection_id = :connection AND email = :email ORDER BY id LIMIT 1")
                .bind("connection", connection.value())
                .bind("email", email)
                .map(row -> row(row))
                .findOne();
    }

    List<PersonId> idsOf(Reads reads, UserId user) {
        return reads.query("SELECT id FROM inbox.people WHERE user_id = :user ORDER BY id")
                .bind("user", user.value())
                .map(row -> new PersonId(row.getLong("id")))
                .list();
    }

    void insert(Tx tx, long id, ConnectionId connection, PersonDescription described) {
        tx.update("""
                                INSERT INTO inbox.people
                                    (id, connection_id, external_id, username, email, name, avatar_url)
                                VALUES (:id, :connection, :external, :username, :email, :name, :avatar)
                                ON CONFLICT DO NOTHING
                                """)
                .bind("id", id)
                .bind("connection", connection.value())
                .bind("external", described.externalId())
                .bind("username", described.username())
                .bind("email", described.email())
                .bind("name", described.name())
                .bind("avatar", described.avatarUrl())
                .execute();
    }

    /** Adds the missing fields; writes only if there are any. */
    PersonRow complete(Tx tx, PersonId id, PersonDescription described) {
        tx.update("""
                        UPDATE inbox.people
                        SET external_id = coalesce(:external, external_id), username = coalesce(:username, username),
                            email = coalesce(:email, email), name = coalesce(:name, name),
                            avatar_url = coalesce(:avatar, avatar_url),
                            former_usernames = CASE WHEN lower(username) <> lower(:username)
                                                    THEN array_append(array_remove(former_usernames, lower(username)), lower(username))
                                                    ELSE former_usernames END
                        WHERE id = :id
                          AND (external_id, username, email, name, avatar_url) IS DISTINCT FROM
                              (coalesce(:external, external_id), coalesce(:username, username),
                               coalesce(:email, email), coalesce(:name, name), coalesce(:avatar, avatar_url))
                        """)
                .bind("external", described.externalId())
                .bind("username", described.username())
                .bind("email", described.email())
                .bind("name", described.name())
                .bind("avatar", described.avatarUrl())
                .bind("id", id.value())
                .execute();
        return tx.query(SELECT + "WHERE id = :id")
                .bind("id", id.value())
                .map(row -> row(row))
                .one();
    }

    void clearUsername(Tx tx, PersonId id) {
        tx.update("""
                        UPDATE inbox.people
                        SET username = NULL,
                            former_usernames = array_append(array_remove(former_usernames, lower(username)), lower(username))
                        WHERE id = :id
                        """).bind("id", id.value()).execute();
    }

    /** Merges a person into another who turns out to be the same. */
    void merge(Tx tx, PersonId from, PersonId into) {
        for (var statement : List.of(
                """
                INSERT INTO inbox.participants (resource_id, role, person_id)
                SELECT resource_id, role, :into FROM inbox.participants WHERE person_id = :from
                ON CONFLICT DO NOTHING
                """,
                """
                INSERT INTO inbox.acts (resource_id, person_id, acted_at)
                SELECT resource_id, :into, acted_at FROM inbox.acts WHERE person_id = :from
                ON CONFLICT DO NOTHING
                """,
                """
                INSERT INTO inbox.withdrawals (resource_id, action, person_id, withdrawn_at)
                SELECT resource_id, action, :into, withdrawn_at FROM inbox.withdrawals WHERE person_id = :from
                ON CONFLICT DO NOTHING
                """,
                """
                UPDATE inbox.participant_syncs
                SET people = array_replace(people, CAST(:from AS BIGINT), CAST(:into AS BIGINT)),
                    added = array_replace(added, CAST(:from AS BIGINT), CAST(:into AS BIGINT))
                WHERE people @> ARRAY[CAST(:from AS BIGINT)]
                """,
                "UPDATE inbox.merged_requests SET author_person_id = :into WHERE author_person_id = :from",
                """
                INSERT INTO inbox.members AS m (namespace_id, person_id, access, changed_at, leaves_at, has_left)
                SELECT namespace_id, :into, access, changed_at, leaves_at, has_left FROM inbox.members WHERE person_id = :from
                ON CONFLICT (namespace_id, person_id) DO UPDATE
                    SET access = excluded.access, changed_at = excluded.changed_at, leaves_at = excluded.leaves_at,
                        has_left = excluded.has_left
                    WHERE m.changed_at < excluded.changed_at
                """,
                """
                INSERT INTO inbox.note_mentions AS n (resource_id, person_id, mentioned_at)
                SELECT resource_id, :into, mentioned_at FROM inbox.note_mentions WHERE person_id = :from
                ON CONFLICT (resource_id, person_id) DO UPDATE SET mentioned_at = least(n.mentioned_at, excluded.mentioned_at)
                """,
                """
                UPDATE inbox.merge_checks SET owners = array_replace(owners, CAST(:from AS BIGINT), CAST(:into AS BIGINT))
                WHERE owners @> ARRAY[CAST(:from AS BIGINT)]
                """,
                "UPDATE inbox.pipelines SET person_id = :into WHERE person_id = :from",
                """
                UPDATE inbox.pending_items w SET person_id = :into
                WHERE person_id = :from
                  AND NOT EXISTS (SELECT FROM inbox.pending_items other
                                  WHERE other.person_id = :into AND other.resource_id = w.resource_id
                                    AND other.action = w.action)
                """,
                "UPDATE inbox.pending_items SET author_person_id = :into WHERE author_person_id = :from",
                "UPDATE inbox.notifications SET author_person_id = :into WHERE author_person_id = :from",
                """
                UPDATE inbox.people
                SET user_id = coalesce(user_id, (SELECT f.user_id FROM inbox.people f WHERE f.id = :from))
                WHERE id = :into
                """)) {
            tx.update(statement)
                    .bind("from", from.value())
                    .bind("into", into.value())
                    .execute();
        }
        tx.update("DELETE FROM inbox.people WHERE id = :from")
                .bind("from", from.value())
                .execute();
    }

    void link(Tx tx, PersonId id, UserId user) {
        tx.update("UPDATE inbox.people SET user_id = :user WHERE id = :id")
                .bind("user", user.value())
                .bind("id", id.value())
                .execute();
    }

    /**
     * Finds the account whose claim links it to this person; a claim for this connection goes before one for all. A claim of a
     * user name that the account's own person has had does not link whoever bears it now.
     */
    Optional<UserId> claimant(Reads reads, ConnectionId connection, PersonRow row, boolean confirmed) {
        return reads.query("""
                        SELECT i.user_id
                        FROM inbox.connections c
                        JOIN inbox.identities i ON i.provider = c.kind
                             AND (i.connection_id = c.id OR i.connection_id IS NULL)
                             AND i.confirmed = :confirmed
                             AND (i.confirmed OR (c.linking = 'open' AND i.username IS NOT NULL))
                             AND (lower(i.username) = lower(:username) OR lower(i.email) = :email)
                        WHERE c.id = :connection
                          AND (i.username IS NULL
                               OR NOT EXISTS (SELECT FROM inbox.people own
                                              WHERE own.user_id = i.user_id AND own.connection_id = c.id AND own.id <> :id
                                                AND lower(i.username) = ANY (own.former_usernames)))
                        ORDER BY i.connection_id NULLS LAST, i.username NULLS LAST
                        LIMIT 1
                        """)
                .bind("username", row.username())
                .bind("email", row.email())
                .bind("confirmed", confirmed)
                .bind("connection", connection.value())
                .bind("id", row.id().value())
                .map(found -> new UserId(found.getLong("user_id")))
                .findOne();
    }

    static ExternalPerson person(ResultSet row) throws SQLException {
        return new ExternalPerson(new PersonId(row.getLong("id")), row.getString("username"), user(row));
    }

    private static PersonRow row(ResultSet row) throws SQLException {
        return new PersonRow(
                new PersonId(row.getLong("id")),
                row.getString("external_id"),
                row.getString("username"),
                row.getString("email"),
                user(row));
    }

    private static @Nullable UserId user(ResultSet row) throws SQLException {
        long user = row.getLong("user_id");
        return row.wasNull() ? null : new UserId(user);
    }
}
