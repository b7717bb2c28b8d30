package io.hiroba.accounts;

import io.hiroba.accounts.Invitations.InvitationId;
import io.hiroba.accounts.OidcLogIns.LinkedIdentity;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of identities, oidc_attempts and pending_identities. */
final class OidcStore {

    /**
     * A browser that was sent to a provider.
     *
     * @param next the path to show afterwards
     */
    record Attempt(
            String state,
            String provider,
            String nonce,
            String verifier,
            String next,
            @Nullable InvitationId invitation) {

        @Override
        public String toString() {
            return "Attempt[provider=" + provider + "]";
        }
    }

    /** A person whom a provider has authenticated and who has not yet linked or created an account. */
    record PendingIdentity(
            String provider,
            OidcIdentity identity,
            String next,
            @Nullable InvitationId invitation) {}

    void insertAttempt(Tx tx, Attempt attempt, BearerSecret browser, Instant expiresAt) {
        tx.update("""
                        INSERT INTO accounts.oidc_attempts
                            (state_hash, browser_hash, provider, nonce, code_verifier, next, invitation_id, expires_at)
                        VALUES (:state, :browser, :provider, :nonce, :verifier, :next, :invitation, :expiresAt)
                        """)
                .bind("state", Sha256.of(attempt.state()))
                .bind("browser", browser.hash())
                .bind("provider", attempt.provider())
                .bind("nonce", attempt.nonce())
                .bind("verifier", attempt.verifier())
                .bind("next", attempt.next())
                .bind("invitation", value(attempt.invitation()))
                .bind("expiresAt", expiresAt)
                .execute();
    }

    /** Takes the attempt away, so that a repeated answer finds none. */
    Optional<Attempt> takeAttempt(Tx tx, String state, BearerSecret browser, String provider, Instant now) {
        return tx.query("""
                DELETE FROM accounts.oidc_attempts
                WHERE state_hash = :state AND browser_hash = :browser AND provider = :provider AND expires_at > :now
                RETURNING nonce, code_verifier, next, invitation_id
                """)
                .bind("state", Sha256.of(state))
                .bind("browser", browser.hash())
                .bind("provider", provider)
                .bind("now", now)
                .map(row -> new Attempt(
                        state,
                        provider,
                        row.getString("nonce"),
                        row.getString("code_verifier"),
                        row.getString("next"),
                        invitation(row)))
                .findOne();
    }

    void insertPending(Tx tx, PendingIdentity pending, BearerSecret secret, Instant expiresAt) {
        var identity = pending.identity();
        tx.update("""
                        INSERT INTO accounts.pending_identities
                            (secret_hash, provider, issuer, subject, name, email, nickname, is_admin, next, invitation_id,
                             expires_at)
                        VALUES (:secret, :provider, :issuer, :subject, :name, :email, :nickname, :admin, :next, :invitation,
                             :expiresAt)
                        """)
                .bind("secret", secret.hash())
                .bind("provider", pending.provider())
                .bind("issuer", identity.issuer())
                .bind("subject", identity.subject())
                .bind("name", identity.name())
                .bind("email", identity.email().map(Email::value).orElse(null))
                .bind("nickname", identity.nickname())
                .bind("admin", identity.admin())
                .bind("next", pending.next())
                .bind("invitation", value(pending.invitation()))
                .bind("expiresAt", expiresAt)
                .execute();
    }

    Optional<PendingIdentity> findPending(Reads reads, BearerSecret secret, Instant now) {
        return reads.query("""
                SELECT provider, issuer, subject, name, email, nickname, is_admin, next, invitation_id
                FROM accounts.pending_identities
                WHERE secret_hash = :secret AND expires_at > :now
                """)
                .bind("secret", secret.hash())
                .bind("now", now)
                .map(OidcStore::pending)
                .findOne();
    }

    /** False if another request took it first. */
    boolean deletePending(Tx tx, BearerSecret secret) {
        return tx.update("DELETE FROM accounts.pending_identities WHERE secret_hash = :secret")
                        .bind("secret", secret.hash())
                        .execute()
                == 1;
    }

    /** The account of an identity, whose use is noted. */
    Optional<UserId> use(Tx tx, OidcIdentity identity, Instant now) {
        return tx.query("""
                UPDATE accounts.identities
                SET last_used_at = :now, name = :name
                WHERE issuer = :issuer AND subject = :subject
                RETURNING user_id
                """)
                .bind("issuer", identity.issuer())
                .bind("subject", identity.subject())
                .bind("name", identity.name())
                .bind("now", now)
                .map(row -> new UserId(row.getLong("user_id")))
                .findOne();
    }

    /** False if it is linked already. */
    boolean insert(Tx tx, long id, UserId user, OidcIdentity identity, Instant now) {
        return tx.update("""
                        INSERT INTO accounts.identities (id, user_id, issuer, subject, name, last_used_at)
                        VALUES (:id, :user, :issuer, :subject, :name, :now)
                        ON CONFLICT (issuer, subject) DO NOTHING
                        """)
                        .bind("id", id)
                        .bind("user", user.value())
                        .bind("issuer", identity.issuer())
                        .bind("subject", identity.subject())
                        .bind("name", identity.name())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    List<LinkedIdentity> list(Reads reads, UserId user) {
        return reads.query("""
                SELECT id, issuer, name, last_used_at
                FROM accounts.identities
                WHERE user_id = :user
                ORDER BY id
                """)
                .bind("user", user.value())
                .map(OidcStore::linked)
                .list();
    }

    /** The account's row must be locked, so that two at once do not take the last way in. */
    boolean delete(Tx tx, UserId user, long id) {
        return tx.update("DELETE FROM accounts.identities WHERE id = :id AND user_id = :user")
                        .bind("id", id)
                        .bind("user", user.value())
                        .execute()
                == 1;
    }

    void deleteAll(Tx tx, UserId user) {
        tx.update("DELETE FROM accounts.identities WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    boolean hasPassword(Reads reads, UserId user) {
        return reads.query("SELECT EXISTS (SELECT 1 FROM accounts.users WHERE id = :id AND password <> '')")
                .bind("id", user.value())
                .mapTo(Boolean.class)
                .one();
    }

    int deleteExpiredAttempts(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.oidc_attempts
                        WHERE state_hash IN (
                            SELECT state_hash FROM accounts.oidc_attempts
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }

    int deleteExpiredPending(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.pending_identities
                        WHERE secret_hash IN (
                            SELECT secret_hash FROM accounts.pending_identities
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }

    private static PendingIdentity pending(ResultSet row) throws SQLException {
        @Nullable String email = row.getString("email");
        boolean admin = row.getBoolean("is_admin");
        @Nullable Boolean role = row.wasNull() ? null : Boolean.valueOf(admin);
        return new PendingIdentity(
                row.getString("provider"),
                new OidcIdentity(
                        row.getString("issuer"),
                        row.getString("subject"),
                        row.getString("name"),
                        Optional.ofNullable(email).map(Email::new),
                        row.getString("nickname"),
                        role),
                row.getString("next"),
                invitation(row));
    }

    private static LinkedIdentity linked(ResultSet row) throws SQLException {
        return new LinkedIdentity(
                row.getLong("id"),
                row.getString("issuer"),
                row.getString("name"),
                Columns.instant(row, "last_used_at"));
    }

    private static @Nullable InvitationId invitation(ResultSet row) throws SQLException {
        long id = row.getLong("invitation_id");
        return row.wasNull() ? null : new InvitationId(id);
    }

    private static @Nullable Long value(@Nullable InvitationId id) {
        return id == null ? null : id.value();
    }
}
