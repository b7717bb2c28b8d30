package io.hiroba.accounts;

import io.hiroba.accounts.CallerCache.ResolvedCaller;
import io.hiroba.accounts.RevocableStreams.ValidUntil;
import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of api_tokens. */
final class TokenStore {

    /** @param grant of the app whose access token it is */
    void insert(Tx tx, ApiToken token, BearerSecret secret, @Nullable Long grant) {
        tx.update("""
                        INSERT INTO accounts.api_tokens (id, user_id, name, secret_hash, scopes, expires_at, grant_id)
                        VALUES (:id, :user, :name, :hash, :scopes, :expiresAt, :grant)
                        """)
                .bind("id", token.id().value())
                .bind("user", token.user().value())
                .bind("name", token.name())
                .bind("hash", secret.hash())
                .bind("scopes", token.scopes().text())
                .bind("expiresAt", token.expiresAt())
                .bind("grant", grant)
                .execute();
    }

    /** Deletes the access tokens of an app but the newest {@code kept}. */
    void deleteOfGrant(Tx tx, long grant, int kept) {
        tx.update("""
                        DELETE FROM accounts.api_tokens
                        WHERE grant_id = :grant AND id IN (
                            SELECT id FROM accounts.api_tokens
                            WHERE grant_id = :grant
                            ORDER BY id DESC OFFSET :kept)
                        """).bind("grant", grant).bind("kept", kept).execute();
    }

    /** Deletes an access token of an app; whose it was, if there was one. */
    Optional<UserId> deleteOfClient(Tx tx, BearerSecret secret, AppId client) {
        return tx.query("""
                DELETE FROM accounts.api_tokens t
                USING accounts.oauth_grants g
                WHERE t.secret_hash = :hash AND g.id = t.grant_id AND g.client_id = :client
                RETURNING t.user_id
                """)
                .bind("hash", secret.hash())
                .bind("client", client.value())
                .map(row -> new UserId(row.getLong("user_id")))
                .findOne();
    }

    /** The number of valid tokens of the user, who is locked so that no other is added meanwhile. */
    int lockAndCount(Tx tx, UserId user, Instant now) {
        tx.query("SELECT 1 FROM accounts.users WHERE id = :user FOR NO KEY UPDATE")
                .bind("user", user.value())
                .mapTo(Integer.class)
                .findOne();
        return tx.query("""
                SELECT count(*) FROM accounts.api_tokens
                WHERE user_id = :user AND grant_id IS NULL AND (expires_at IS NULL OR expires_at > :now)
                """)
                .bind("user", user.value())
                .bind("now", now)
                .mapTo(Integer.class)
                .one();
    }

    /** The users and ends of those of the tokens that are valid, by the token's id. */
    Map<Long, ValidUntil> valid(Reads reads, List<Long> ids, Instant now) {
        return ids.isEmpty()
                ? Map.of()
                : reads
                        .query("""
                        SELECT t.id, t.user_id, t.expires_at
                        FROM accounts.api_tokens t
                        JOIN accounts.users u ON u.id = t.user_id
                        WHERE t.id = ANY(:ids) AND (t.expires_at IS NULL OR t.expires_at > :now)
                          AND coalesce(u.suspended_until <= :now, true)
                        """)
                        .bindArray("ids", Long.class, ids)
                        .bind("now", now)
                        .map(row -> Map.entry(
                                row.getLong("id"),
                                new ValidUntil(
                                        new UserId(row.getLong("user_id")),
                                        Optional.ofNullable(Columns.instantOrNull(row, "expires_at"))
                                                .orElse(Instant.MAX))))
                        .list()
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Those of a suspended account are found again when it is restored. */
    Optional<ResolvedCaller> use(Reads reads, BearerSecret secret, Instant now) {
        return reads.query("""
                SELECT t.id, t.user_id, u.is_admin, t.scopes, t.last_used_at, t.expires_at
                FROM accounts.api_tokens t
                JOIN accounts.users u ON u.id = t.user_id
                WHERE t.secret_hash = :hash AND (t.expires_at IS NULL OR t.expires_at > :now)
                  AND coalesce(u.suspended_until <= :now, true)
                """)
                .bind("hash", secret.hash())
                .bind("now", now)
                .map(TokenStore::used)
                .findOne();
    }

    List<ApiToken> list(Reads reads, UserId user, long before, int limit) {
        return reads.query("""
                SELECT id, user_id, name, scopes, last_used_at, expires_at
                FROM accounts.api_tokens
                WHERE user_id = :user AND id < :before AND grant_id IS NULL
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(TokenStore::token)
                .list();
    }

    boolean delete(Tx tx, UserId user, TokenId id) {
        return tx.update("DELETE FROM accounts.api_tokens WHERE id = :id AND user_id = :user")
                        .bind("id", id.value())
                        .bind("user", user.value())
                        .execute()
                == 1;
    }

    void deleteAll(Tx tx, UserId user) {
        tx.update("DELETE FROM accounts.api_tokens WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    /** A token that was deleted since it has expired. */
    record ExpiredToken(ApiToken token, boolean isOfApp) {

        /** Whether a person made it for longer than that. */
        boolean isLasting(Duration time) {
            var expiresAt = token.expiresAt();
            return !isOfApp && expiresAt != null && token.createdAt().plus(time).isBefore(expiresAt);
        }
    }

    List<ExpiredToken> deleteExpired(Tx tx, Instant now, int limit) {
        return tx.query("""
                        DELETE FROM accounts.api_tokens
                        WHERE id IN (
                            SELECT id FROM accounts.api_tokens
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        RETURNING id, user_id, name, scopes, last_used_at, expires_at, grant_id IS NOT NULL AS is_of_app
                        """)
                .bind("now", now)
                .bind("limit", limit)
                .map(row -> new ExpiredToken(token(row), row.getBoolean("is_of_app")))
                .list();
    }

    /** Claims tokens that were made for longer than {@code notice}, and expire within it. */
    List<ApiToken> claimExpiring(Tx tx, Instant now, Duration notice, int limit) {
        return tx.query("""
                        WITH due AS (
                            SELECT id FROM accounts.api_tokens
                            WHERE expires_at > :now AND expires_at <= :until
                              AND expiring_notified_at IS NULL AND grant_id IS NULL
                              AND to_timestamp((id >> 20) / 1000.0) < expires_at - :notice * interval '1 s'
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED
                        )
                        UPDATE accounts.api_tokens t SET expiring_notified_at = :now
                        FROM due
                        WHERE t.id = due.id
                        RETURNING t.id, t.user_id, t.name, t.scopes, t.last_used_at, t.expires_at
                        """)
                .bind("now", now)
                .bind("until", now.plus(notice))
                .bind("notice", notice.toSeconds())
                .bind("limit", limit)
                .map(TokenStore::token)
                .list();
    }

    void recordUse(Tx tx, long id, Instant now) {
        tx.update("""
                        UPDATE accounts.api_tokens
                        SET last_used_at = :now
                        WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :now)
                        """).bind("id", id).bind("now", now).execute();
        tx.update("""
                        UPDATE accounts.oauth_grants
                        SET last_used_at = :now
                        WHERE id = (SELECT grant_id FROM accounts.api_tokens WHERE id = :id) AND last_used_at < :now
                        """).bind("id", id).bind("now", now).execute();
    }

    private static ResolvedCaller used(ResultSet row) throws SQLException {
        var id = new TokenId(row.getLong("id"));
        var before = Columns.instantOrNull(row, "last_used_at");
        var expiry = Columns.instantOrNull(row, "expires_at");
        var expiresAt = expiry == null ? Instant.MAX : expiry;
        var via = new Caller.ByToken(id, Granted.stored(row.getString("scopes")), expiresAt);
        var caller = new Caller(new UserId(row.getLong("user_id")), row.getBoolean("is_admin"), via, null);
        return new ResolvedCaller(caller, id.value(), before == null ? Instant.EPOCH : before, expiresAt);
    }

    private static ApiToken token(ResultSet row) throws SQLException {
        return new ApiToken(
                new TokenId(row.getLong("id")),
                new UserId(row.getLong("user_id")),
                row.getString("name"),
                Granted.stored(row.getString("scopes")),
                Columns.instantOrNull(row, "last_used_at"),
                Columns.instantOrNull(row, "expires_at"));
    }
}
