package io.hiroba.accounts;

import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of oauth_clients, oauth_codes, oauth_grants and oauth_refresh_tokens. */
final class AppStore {

    void insert(Tx tx, OAuthClient client) {
        tx.update("""
                        INSERT INTO accounts.oauth_clients (id, name, secret_hash, redirect_uris)
                        VALUES (:id, :name, :hash, :redirectUris)
                        """)
                .bind("id", client.id().value())
                .bind("name", client.name())
                .bind("hash", client.secretHash())
                .bindArray(
                        "redirectUris",
                        String.class,
                        client.redirectUris().stream().map(RedirectUri::text).toList())
                .execute();
    }

    Optional<OAuthClient> client(Reads reads, AppId id) {
        return reads.query("""
                SELECT id, name, secret_hash, redirect_uris
                FROM accounts.oauth_clients
                WHERE id = :id
                """).bind("id", id.value()).map(AppStore::client).findOne();
    }

    /** Remembers that somebody lets the client in; false if it is gone. */
    boolean markUsed(Tx tx, AppId client, Instant now) {
        return tx.update("UPDATE accounts.oauth_clients SET used_at = :now WHERE id = :id")
                        .bind("now", now)
                        .bind("id", client.value())
                        .execute()
                == 1;
    }

    /** Deletes the clients that nobody ever let in: all from before, and the oldest of more than {@code max}. */
    int deleteUnused(Tx tx, Instant before, int max, int limit) {
        return tx.update("""
                        DELETE FROM accounts.oauth_clients
                        WHERE used_at IS NULL AND id IN (
                            SELECT id FROM accounts.oauth_clients
                            WHERE used_at IS NULL
                                AND id < greatest(:before, (
                                    SELECT id + 1 FROM accounts.oauth_clients
                                    WHERE used_at IS NULL
                                    ORDER BY id DESC OFFSET :max LIMIT 1))
                            ORDER BY id
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """)
                .bind("before", Ids.lowestAt(before))
                .bind("max", max)
                .bind("limit", limit)
                .execute();
    }

    /** Deletes the clients that were used last before a moment, and that nobody lets in any more. */
    int deleteForgotten(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.oauth_clients
                        WHERE id IN (
                            SELECT c.id FROM accounts.oauth_clients c
                            WHERE c.used_at < :before
                                AND NOT EXISTS (SELECT 1 FROM accounts.oauth_grants g WHERE g.client_id = c.id)
                            ORDER BY c.used_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    /**
     * A code for an app.
     *
     * @param grant what it was redeemed for already
     */
    record IssuedCode(
            UserId user,
            AppId client,
            String redirectUri,
            String challenge,
            Granted scopes,
            Instant expiresAt,
            @Nullable Long grant) {}

    void insert(Tx tx, IssuedCode code, BearerSecret secret) {
        tx.update("""
                        INSERT INTO accounts.oauth_codes
                            (secret_hash, user_id, client_id, redirect_uri, challenge, scopes, expires_at)
                        VALUES (:hash, :user, :client, :redirectUri, :challenge, :scopes, :expiresAt)
                        """)
                .bind("hash", secret.hash())
                .bind("user", code.user().value())
                .bind("client", code.client().value())
                .bind("redirectUri", code.redirectUri())
                .bind("challenge", code.challenge())
                .bind("scopes", code.scopes().text())
                .bind("expiresAt", code.expiresAt())
                .execute();
    }

    Optional<IssuedCode> lockCode(Tx tx, BearerSecret secret) {
        return tx.query("""
                SELECT user_id, client_id, redirect_uri, challenge, scopes, expires_at, grant_id
                FROM accounts.oauth_codes
                WHERE secret_hash = :hash
                FOR UPDATE
                """).bind("hash", secret.hash()).map(AppStore::code).findOne();
    }

    void setGrant(Tx tx, BearerSecret code, long grant) {
        tx.update("UPDATE accounts.oauth_codes SET grant_id = :grant WHERE secret_hash = :hash")
                .bind("grant", grant)
                .bind("hash", code.hash())
                .execute();
    }

    int deleteCodes(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.oauth_codes
                        WHERE secret_hash IN (
                            SELECT secret_hash FROM accounts.oauth_codes
                            WHERE expires_at < :before
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("before", before).bind("limit", limit).execute();
    }

    /** A permission that somebody gave an app. */
    record Grant(long id, UserId user, AppId client, Granted scopes) {}

    /** Adds a grant, in the place of the oldest if the app has many of this user; returns whether it took that place. */
    boolean insert(Tx tx, Grant grant, Instant now, Instant expiresAt, int max) {
        tx.update("""
                        INSERT INTO accounts.oauth_grants (id, user_id, client_id, scopes, last_used_at, expires_at)
                        VALUES (:id, :user, :client, :scopes, :now, :expiresAt)
                        """)
                .bind("id", grant.id())
                .bind("user", grant.user().value())
                .bind("client", grant.client().value())
                .bind("scopes", grant.scopes().text())
                .bind("now", now)
                .bind("expiresAt", expiresAt)
                .execute();
        return tx.update("""
                        DELETE FROM accounts.oauth_grants
                        WHERE user_id = :user AND client_id = :client AND id IN (
                            SELECT id FROM accounts.oauth_grants
                            WHERE user_id = :user AND client_id = :client
                            ORDER BY id DESC OFFSET :max)
                        """)
                        .bind("user", grant.user().value())
                        .bind("client", grant.client().value())
                        .bind("max", max)
                        .execute()
                > 0;
    }

    void prolong(Tx tx, long grant, Instant now, Instant expiresAt) {
        tx.update("UPDATE accounts.oauth_grants SET last_used_at = :now, expires_at = :expiresAt WHERE id = :id")
                .bind("now", now)
                .bind("expiresAt", expiresAt)
                .bind("id", grant)
                .execute();
    }

    void deleteGrant(Tx tx, long id) {
        tx.update("DELETE FROM accounts.oauth_grants WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    int deleteGrants(Tx tx, UserId user, AppId client) {
        return tx.update("DELETE FROM accounts.oauth_grants WHERE user_id = :user AND client_id = :client")
                .bind("user", user.value())
                .bind("client", client.value())
                .execute();
    }

    /** Ends all that the user allowed any app, also what no app has fetched yet. */
    void deleteAll(Tx tx, UserId user) {
        tx.update("DELETE FROM accounts.oauth_codes WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
        tx.update("DELETE FROM accounts.oauth_grants WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    int deleteExpired(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.oauth_grants
                        WHERE id IN (
                            SELECT id FROM accounts.oauth_grants
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }

    void insertRefresh(Tx tx, long id, BearerSecret secret, long grant) {
        tx.update("""
                        INSERT INTO accounts.oauth_refresh_tokens (id, secret_hash, grant_id)
                        VALUES (:id, :hash, :grant)
                        """)
                .bind("id", id)
                .bind("hash", secret.hash())
                .bind("grant", grant)
                .execute();
    }

    /** A refresh token with its grant. */
    record RefreshToken(long id, boolean isUsed, Grant grant) {}

    /** Locks the grant of a refresh token first, so that of two uses the second sees the first. */
    Optional<RefreshToken> lockRefresh(Tx tx, BearerSecret secret, Instant now) {
        var locked = tx.query("""
                SELECT g.id, g.user_id, g.client_id, g.scopes
                FROM accounts.oauth_grants g
                JOIN accounts.oauth_refresh_tokens r ON r.grant_id = g.id
                WHERE r.secret_hash = :hash AND g.expires_at > :now
                FOR UPDATE OF g
                """)
                .bind("hash", secret.hash())
                .bind("now", now)
                .map(AppStore::grant)
                .findOne();
        return locked.flatMap(grant -> tx.query("""
                SELECT id, is_used
                FROM accounts.oauth_refresh_tokens
                WHERE secret_hash = :hash
                """)
                .bind("hash", secret.hash())
                .map(row -> new RefreshToken(row.getLong("id"), row.getBoolean("is_used"), grant))
                .findOne());
    }

    void markUsed(Tx tx, RefreshToken token) {
        tx.update("UPDATE accounts.oauth_refresh_tokens SET is_used = TRUE WHERE id = :id")
                .bind("id", token.id())
                .execute();
    }

    int deleteUsed(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.oauth_refresh_tokens
                        WHERE id IN (
                            SELECT id FROM accounts.oauth_refresh_tokens
                            WHERE is_used AND id < :before
                            ORDER BY id
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """)
                .bind("before", Ids.lowestAt(before))
                .bind("limit", limit)
                .execute();
    }

    /** The apps that the user has let in, newest first. */
    List<Apps.ConnectedApp> list(Reads reads, UserId user, long before, int limit, Instant now) {
        return reads.query("""
                SELECT c.id, c.name, c.redirect_uris, min(g.id) AS since, max(g.last_used_at) AS last_used_at,
                    string_agg(g.scopes, ' ') AS scopes
                FROM accounts.oauth_grants g
                JOIN accounts.oauth_clients c ON c.id = g.client_id
                WHERE g.user_id = :user AND g.client_id < :before AND g.expires_at > :now
                GROUP BY c.id
                ORDER BY c.id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("now", now)
                .bind("limit", limit)
                .map(row -> new Apps.ConnectedApp(
                        new AppId(row.getLong("id")),
                        row.getString("name"),
                        redirectUris(row).getFirst().place(),
                        Granted.stored(row.getString("scopes")),
                        Ids.createdAt(row.getLong("since")),
                        Columns.instant(row, "last_used_at")))
                .list();
    }

    private static OAuthClient client(ResultSet row) throws SQLException {
        return new OAuthClient(
                new AppId(row.getLong("id")), row.getString("name"), row.getBytes("secret_hash"), redirectUris(row));
    }

    private static List<RedirectUri> redirectUris(ResultSet row) throws SQLException {
        return Arrays.stream((String[]) row.getArray("redirect_uris").getArray())
                .map(RedirectUri::new)
                .toList();
    }

    private static IssuedCode code(ResultSet row) throws SQLException {
        long grant = row.getLong("grant_id");
        boolean isRedeemed = !row.wasNull();
        return new IssuedCode(
                new UserId(row.getLong("user_id")),
                new AppId(row.getLong("client_id")),
                row.getString("redirect_uri"),
                row.getString("challenge"),
                Granted.stored(row.getString("scopes")),
                Columns.instant(row, "expires_at"),
                isRedeemed ? grant : null);
    }

    private static Grant grant(ResultSet row) throws SQLException {
        return new Grant(
                row.getLong("id"),
                new UserId(row.getLong("user_id")),
                new AppId(row.getLong("client_id")),
                Granted.stored(row.getString("scopes")));
    }
}
