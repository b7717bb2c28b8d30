package io.hiroba.accounts;

import io.hiroba.accounts.Suspensions.AccountStatus;
import io.hiroba.accounts.Suspensions.NewSuspension;
import io.hiroba.accounts.Suspensions.Suspension;
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
import java.util.Set;
import java.util.stream.Collectors;

/** The columns of users that suspend an account. */
final class SuspensionStore {

    /** False if there is no such user. */
    boolean suspend(Tx tx, UserId user, NewSuspension suspension, UserId by, Instant now) {
        return tx.update("""
                        UPDATE accounts.users
                        SET suspended_until = coalesce(CAST(:until AS timestamptz), 'infinity'),
                            suspended_at = :now,
                            suspended_by = :by,
                            suspension_reason = :reason
                        WHERE id = :user
                        """)
                        .bind("user", user.value())
                        .bind("until", suspension.until())
                        .bind("now", now)
                        .bind("by", by.value())
                        .bind("reason", suspension.reason())
                        .execute()
                == 1;
    }

    /** False if the account is not suspended. */
    boolean restore(Tx tx, UserId user, Instant now) {
        return tx.update("""
                        UPDATE accounts.users
                        SET suspended_until = NULL, suspended_at = NULL, suspended_by = NULL, suspension_reason = NULL
                        WHERE id = :user AND suspended_until > :now
                        """).bind("user", user.value()).bind("now", now).execute() == 1;
    }

    /** Fails if the account is suspended; it stays as it is until {@code tx} ends. */
    void requireNone(Tx tx, UserId user, Instant now) {
        tx.query("""
                SELECT nullif(suspended_until, 'infinity') AS until, coalesce(suspended_until > :now, false) AS suspended
                FROM accounts.users
                WHERE id = :user
                FOR SHARE
                """)
                .bind("user", user.value())
                .bind("now", now)
                .map(row -> new Standing(
                        row.getBoolean("suspended"), Optional.ofNullable(Columns.instantOrNull(row, "until"))))
                .findOne()
                .filter(Standing::suspended)
                .ifPresent(standing -> {
                    throw AccountsProblem.suspended(standing.until());
                });
    }

    private record Standing(boolean suspended, Optional<Instant> until) {}

    boolean isSuspended(Reads reads, UserId user, Instant now) {
        return reads.query("SELECT EXISTS (SELECT 1 FROM accounts.users WHERE id = :user AND suspended_until > :now)")
                .bind("user", user.value())
                .bind("now", now)
                .mapTo(Boolean.class)
                .one();
    }

    /** Those of the users who exist and are not suspended, by their ids. */
    List<UserId> active(Reads reads, Collection<UserId> users, Instant now) {
        return reads.query("""
                SELECT id FROM accounts.users
                WHERE id = ANY (:users) AND (suspended_until IS NULL OR suspended_until <= :now)
                ORDER BY id
                """)
                .bindArray("users", Long.class, users, UserId::value)
                .bind("now", now)
                .map(row -> new UserId(row.getLong("id")))
                .list();
    }

    /** Those of the users who are suspended without an end. */
    Set<UserId> forGood(Reads reads, Collection<UserId> users) {
        return Set.copyOf(
                reads.query("SELECT id FROM accounts.users WHERE id = ANY (:users) AND suspended_until = 'infinity'")
                        .bindArray("users", Long.class, users, UserId::value)
                        .map(row -> new UserId(row.getLong("id")))
                        .list());
    }

    /** With the last use of a session or token, or the last log-in if none is left. */
    Map<UserId, AccountStatus> statuses(Reads reads, Collection<UserId> users, Instant now) {
        return reads
                .query("""
                SELECT u.id, u.suspended_at, nullif(u.suspended_until, 'infinity') AS until, u.suspended_by,
                       u.suspension_reason, coalesce(u.suspended_until > :now, false) AS suspended,
                       greatest(
                           (SELECT max(s.last_used_at) FROM accounts.sessions s
                            WHERE s.user_id = u.id AND s.admin_id IS NULL),
                           (SELECT max(t.last_used_at) FROM accounts.api_tokens t WHERE t.user_id = u.id),
                           (SELECT to_timestamp((max(l.id) >> 20) / 1000.0) FROM accounts.log_ins l
                            WHERE l.user_id = u.id)) AS seen
                FROM accounts.users u
                WHERE u.id = ANY (:users)
                """)
                .bindArray(
                        "users", Long.class, users.stream().map(UserId::value).toArray())
                .bind("now", now)
                .map(row -> Map.entry(new UserId(row.getLong("id")), status(row)))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static AccountStatus status(ResultSet row) throws SQLException {
        return new AccountStatus(
                row.getBoolean("suspended") ? suspension(row) : null, Columns.instantOrNull(row, "seen"));
    }

    private static Suspension suspension(ResultSet row) throws SQLException {
        return new Suspension(
                Columns.instant(row, "suspended_at"),
                Columns.instantOrNull(row, "until"),
                new UserId(row.getLong("suspended_by")),
                row.getString("suspension_reason"));
    }
}
