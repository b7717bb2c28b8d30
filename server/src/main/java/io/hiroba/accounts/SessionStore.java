package io.hiroba.accounts;

import io.hiroba.accounts.CallerCache.ResolvedCaller;
import io.hiroba.accounts.RevocableStreams.ValidUntil;
import io.hiroba.accounts.Sessions.LogIn;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of sessions and log_ins. */
final class SessionStore {

    void insert(Tx tx, UserSession session, BearerSecret secret) {
        tx.update("""
                        INSERT INTO accounts.sessions
                            (id, user_id, secret_hash, address, agent, last_used_at, expires_at, confirmed_at)
                        VALUES (:id, :user, :hash, :address, :agent, :lastUsedAt, :expiresAt, :lastUsedAt)
                        """)
                .bind("id", session.id().value())
                .bind("user", session.user().value())
                .bind("hash", secret.hash())
                .bind("address", session.address())
                .bind("agent", session.agent())
                .bind("lastUsedAt", session.lastUsedAt())
                .bind("expiresAt", session.expiresAt())
                .execute();
    }

    /**
     * An admin who acts as another must still be one, and nobody may be suspended.
     *
     * @param oldest the log-in of the oldest session that is valid: one may have been longer when the row was written
     */
    Optional<ResolvedCaller> use(Reads reads, BearerSecret secret, Instant now, Instant oldest) {
        return reads.query("""
                SELECT s.id, s.user_id, u.is_admin, s.admin_id, s.last_used_at, s.expires_at
                FROM accounts.sessions s
                JOIN accounts.users u ON u.id = s.user_id
                LEFT JOIN accounts.users a ON a.id = s.admin_id
                WHERE s.secret_hash = :hash AND s.expires_at > :now AND s.id >= :oldest
                  AND (s.admin_id IS NULL OR a.is_admin)
                  AND coalesce(u.suspended_until <= :now, true) AND coalesce(a.suspended_until <= :now, true)
                """)
                .bind("hash", secret.hash())
                .bind("now", now)
                .bind("oldest", Ids.lowestAt(oldest))
                .map(SessionStore::used)
                .findOne();
    }

    /** The users and ends of those of the sessions that are valid, by the session's id. */
    Map<Long, ValidUntil> valid(Reads reads, List<Long> ids, Instant now) {
        return ids.isEmpty()
                ? Map.of()
                : reads
                        .query("""
                        SELECT s.id, s.user_id, s.expires_at
                        FROM accounts.sessions s
                        JOIN accounts.users u ON u.id = s.user_id
                        LEFT JOIN accounts.users a ON a.id = s.admin_id
                        WHERE s.id = ANY(:ids) AND s.expires_at > :now AND (s.admin_id IS NULL OR a.is_admin)
                          AND coalesce(u.suspended_until <= :now, true) AND coalesce(a.suspended_until <= :now, true)
                        """)
                        .bindArray("ids", Long.class, ids)
                        .bind("now", now)
                        .map(row -> Map.entry(
                                row.getLong("id"),
                                new ValidUntil(new UserId(row.getLong("user_id")), Columns.instant(row, "expires_at"))))
                        .list()
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    List<UserSession> list(Reads reads, UserId user, long before, int limit, Instant now) {
        return reads.query("""
                SELECT id, user_id, admin_id, address, agent, last_used_at, expires_at
                FROM accounts.sessions
                WHERE user_id = :user AND id < :before AND expires_at > :now
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .bind("now", now)
                .map(SessionStore::session)
                .list();
    }

    boolean delete(Tx tx, UserId user, SessionId id) {
        return tx.update("DELETE FROM accounts.sessions WHERE id = :id AND user_id = :user")
                        .bind("id", id.value())
                        .bind("user", user.value())
                        .execute()
                == 1;
    }

    /**
     * Also those in which the user, an admin, acts as somebody else, and log-ins that wait for the second factor: first these, for
     * one that is being completed is a session when its row is free.
     */
    void deleteAll(Tx tx, UserId user, Optional<SessionId> except) {
        tx.update("DELETE FROM accounts.pending_log_ins WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
        tx.update("""
                        DELETE FROM accounts.sessions
                        WHERE (user_id = :user OR admin_id = :user) AND id <> :except
                        """)
                .bind("user", user.value())
                .bind("except", except.map(SessionId::value).orElse(0L))
                .execute();
    }

    /** The secret changes with the user, so that a cookie opens the account it was given for and no other. */
    boolean switchUser(Tx tx, Caller caller, SessionId id, UserId to, BearerSecret secret) {
        return tx.update("""
                        UPDATE accounts.sessions
                        SET user_id = :to, admin_id = nullif(:actor, :to), secret_hash = :hash, confirmed_at = NULL
                        WHERE id = :id AND user_id = :from
                          AND EXISTS (SELECT 1 FROM accounts.users WHERE id = :to)
                        """)
                        .bind("id", id.value())
                        .bind("from", caller.user().value())
                        .bind("to", to.value())
                        .bind("actor", caller.actor().value())
                        .bind("hash", secret.hash())
                        .execute()
                == 1;
    }

    /** Whether the session was confirmed after {@code since}; nothing if it has ended. It is locked until {@code tx} ends. */
    Optional<Boolean> lock(Tx tx, UserId user, SessionId id, Instant since) {
        return tx.query("""
                SELECT coalesce(confirmed_at > :since, false)
                FROM accounts.sessions
                WHERE id = :id AND user_id = :user
                FOR KEY SHARE
                """)
                .bind("id", id.value())
                .bind("user", user.value())
                .bind("since", since)
                .mapTo(Boolean.class)
                .findOne();
    }

    boolean isConfirmed(Reads reads, SessionId id, Instant since) {
        return reads.query("SELECT EXISTS (SELECT 1 FROM accounts.sessions WHERE id = :id AND confirmed_at > :since)")
                .bind("id", id.value())
                .bind("since", since)
                .mapTo(Boolean.class)
                .one();
    }

    /** Null takes the confirmation away. */
    void confirm(Tx tx, SessionId id, @Nullable Instant at) {
        tx.update("UPDATE accounts.sessions SET confirmed_at = :at WHERE id = :id")
                .bind("id", id.value())
                .bind("at", at)
                .execute();
    }

    void recordUse(Tx tx, SessionId id, Instant now, Instant expiresAt) {
        tx.update("""
                        UPDATE accounts.sessions
                        SET last_used_at = :now, expires_at = :expiresAt
                        WHERE id = :id AND last_used_at < :now
                        """)
                .bind("id", id.value())
                .bind("now", now)
                .bind("expiresAt", expiresAt)
                .execute();
    }

    int deleteExpired(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.sessions
                        WHERE id IN (
                            SELECT id FROM accounts.sessions
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }

    void insertLogIn(Tx tx, UserId user, LogIn logIn) {
        tx.update("""
                        INSERT INTO accounts.log_ins (user_id, id, address, agent)
                        VALUES (:user, :id, :address, :agent)
                        """)
                .bind("user", user.value())
                .bind("id", logIn.id().value())
                .bind("address", logIn.address())
                .bind("agent", logIn.agent())
                .execute();
    }

    List<LogIn> logIns(Reads reads, UserId user, long before, int limit) {
        return reads.query("""
                SELECT id, address, agent
                FROM accounts.log_ins
                WHERE user_id = :user AND id < :before
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(row ->
                        new LogIn(new SessionId(row.getLong("id")), row.getString("address"), row.getString("agent")))
                .list();
    }

    int deleteLogIns(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.log_ins
                        WHERE (user_id, id) IN (
                            SELECT user_id, id FROM accounts.log_ins
                            WHERE id < :before
                            ORDER BY id
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """)
                .bind("before", Ids.lowestAt(before))
                .bind("limit", limit)
                .execute();
    }

    private static ResolvedCaller used(ResultSet row) throws SQLException {
        var id = new SessionId(row.getLong("id"));
        var caller = new Caller(
                new UserId(row.getLong("user_id")), row.getBoolean("is_admin"), new Caller.BySession(id), admin(row));
        return new ResolvedCaller(
                caller, id.value(), Columns.instant(row, "last_used_at"), Columns.instant(row, "expires_at"));
    }

    private static UserSession session(ResultSet row) throws SQLException {
        return new UserSession(
                new SessionId(row.getLong("id")),
                new UserId(row.getLong("user_id")),
                admin(row),
                row.getString("address"),
                row.getString("agent"),
                Columns.instant(row, "last_used_at"),
                Columns.instant(row, "expires_at"));
    }

    private static @Nullable UserId admin(ResultSet row) throws SQLException {
        long id = row.getLong("admin_id");
        return row.wasNull() ? null : new UserId(id);
    }
}
