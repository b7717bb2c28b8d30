package io.hiroba.accounts;

import io.hiroba.accounts.SecondFactors.FactorId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of authenticator apps, recovery codes and pending log-ins. */
final class SecondFactorStore {

    /** Whether the account has a second factor that counts. */
    boolean isEnrolled(Reads reads, UserId user) {
        return reads.query("""
                        SELECT EXISTS (SELECT 1 FROM accounts.authenticator_apps WHERE user_id = :user AND is_confirmed)
                            OR EXISTS (SELECT 1 FROM accounts.passkeys WHERE user_id = :user)
                        """).bind("user", user.value()).mapTo(Boolean.class).one();
    }

    /** An authenticator app; its secret is encrypted. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record AppRow(
            FactorId id,
            byte[] secret,
            boolean isConfirmed,
            @Nullable Instant lastUsedAt) {}

    Optional<AppRow> findApp(Reads reads, UserId user) {
        return reads.query("""
                SELECT id, secret, is_confirmed, last_used_at
                FROM accounts.authenticator_apps
                WHERE user_id = :user
                """)
                .bind("user", user.value())
                .map(row -> {
                    return new AppRow(
                            new FactorId(row.getLong("id")),
                            row.getBytes("secret"),
                            row.getBoolean("is_confirmed"),
                            Columns.instantOrNull(row, "last_used_at"));
                })
                .findOne();
    }

    /** Replaces an app that was not confirmed; false if there is one that was. */
    boolean putUnconfirmedApp(Tx tx, UserId user, FactorId id, byte[] secret) {
        return tx.update("""
                        INSERT INTO accounts.authenticator_apps AS app (user_id, id, secret)
                        VALUES (:user, :id, :secret)
                        ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, secret = excluded.secret, last_step = 0
                        WHERE NOT app.is_confirmed
                        """)
                        .bind("user", user.value())
                        .bind("id", id.value())
                        .bind("secret", secret)
                        .execute()
                == 1;
    }

    /** An app whose secret has {@code length} bytes, locked, and whose it is. */
    Optional<FormerSecret> lockSecretOf(Tx tx, int length) {
        return tx.query("""
                SELECT user_id, secret FROM accounts.authenticator_apps
                WHERE length(secret) = :length
                LIMIT 1
                FOR NO KEY UPDATE SKIP LOCKED
                """)
                .bind("length", length)
                .map(row -> new FormerSecret(new UserId(row.getLong("user_id")), row.getBytes("secret")))
                .findOne();
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record FormerSecret(UserId user, byte[] secret) {}

    void replaceSecret(Tx tx, UserId user, byte[] secret) {
        tx.update("UPDATE accounts.authenticator_apps SET secret = :secret WHERE user_id = :user")
                .bind("user", user.value())
                .bind("secret", secret)
                .execute();
    }

    boolean confirmApp(Tx tx, UserId user, FactorId id, long step) {
        return tx.update("""
                        UPDATE accounts.authenticator_apps
                        SET is_confirmed = true, last_step = :step
                        WHERE user_id = :user AND id = :id AND NOT is_confirmed
                        """)
                        .bind("user", user.value())
                        .bind("id", id.value())
                        .bind("step", step)
                        .execute()
                == 1;
    }

    /** False if a code of this step, or of a later one, was accepted before: the row's lock decides between two at once. */
    boolean useApp(Tx tx, UserId user, FactorId id, long step, Instant now) {
        return tx.update("""
                        UPDATE accounts.authenticator_apps
                        SET last_step = :step, last_used_at = :now
                        WHERE user_id = :user AND id = :id AND is_confirmed AND last_step < :step
                        """)
                        .bind("user", user.value())
                        .bind("id", id.value())
                        .bind("step", step)
                        .bind("now", now)
                        .execute()
                == 1;
    }

    boolean deleteApp(Tx tx, UserId user, FactorId id) {
        return tx.update("DELETE FROM accounts.authenticator_apps WHERE user_id = :user AND id = :id")
                        .bind("user", user.value())
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    /** Locks the account until {@code tx} ends, so that of two changes of its factors each knows the other. */
    void lock(Tx tx, UserId user) {
        tx.query("SELECT id FROM accounts.users WHERE id = :user FOR NO KEY UPDATE")
                .bind("user", user.value())
                .mapTo(Long.class)
                .findOne();
    }

    int countRecoveryCodes(Reads reads, UserId user) {
        return reads.query("SELECT count(*) FROM accounts.recovery_codes WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(Integer.class)
                .one();
    }

    void replaceRecoveryCodes(Tx tx, UserId user, Collection<RecoveryCode> codes) {
        deleteRecoveryCodes(tx, user);
        for (var code : codes) {
            tx.update("INSERT INTO accounts.recovery_codes (user_id, code_hash) VALUES (:user, :hash)")
                    .bind("user", user.value())
                    .bind("hash", code.hash(user))
                    .execute();
        }
    }

    /** False if there is no such code, or no more. */
    boolean useRecoveryCode(Tx tx, UserId user, RecoveryCode code) {
        return tx.update("DELETE FROM accounts.recovery_codes WHERE user_id = :user AND code_hash = :hash")
                        .bind("user", user.value())
                        .bind("hash", code.hash(user))
                        .execute()
                == 1;
    }

    void deleteRecoveryCodes(Tx tx, UserId user) {
        tx.update("DELETE FROM accounts.recovery_codes WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
    }

    /** Deletes all second factors of the account, and its recovery codes. */
    void deleteAll(Tx tx, UserId user) {
        tx.update("DELETE FROM accounts.authenticator_apps WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
        tx.update("DELETE FROM accounts.passkeys WHERE user_id = :user")
                .bind("user", user.value())
                .execute();
        deleteRecoveryCodes(tx, user);
    }

    void insertPending(Tx tx, BearerSecret secret, UserId user, Instant expiresAt) {
        tx.update("""
                        INSERT INTO accounts.pending_log_ins (secret_hash, user_id, expires_at)
                        VALUES (:hash, :user, :expiresAt)
                        """)
                .bind("hash", secret.hash())
                .bind("user", user.value())
                .bind("expiresAt", expiresAt)
                .execute();
    }

    /** A log-in that waits for the second factor of {@code user}. */
    record Pending(UserId user, Email email) {}

    Optional<Pending> findPending(Reads reads, BearerSecret secret, Instant now, int maxAttempts) {
        return reads.query("""
                SELECT p.user_id, u.email
                FROM accounts.pending_log_ins p
                JOIN accounts.users u ON u.id = p.user_id
                WHERE p.secret_hash = :hash AND p.expires_at > :now AND p.attempts < :max
                """)
                .bind("hash", secret.hash())
                .bind("now", now)
                .bind("max", maxAttempts)
                .map(row -> new Pending(new UserId(row.getLong("user_id")), new Email(row.getString("email"))))
                .findOne();
    }

    /** Counts an attempt; false if there were enough. The row's lock gives guesses at once a number each. */
    boolean countAttempt(Tx tx, BearerSecret secret, int maxAttempts) {
        return tx.update("""
                        UPDATE accounts.pending_log_ins SET attempts = attempts + 1
                        WHERE secret_hash = :hash AND attempts < :max
                        """)
                        .bind("hash", secret.hash())
                        .bind("max", maxAttempts)
                        .execute()
                == 1;
    }

    /** False if it was completed or taken back meanwhile. */
    boolean deletePending(Tx tx, BearerSecret secret) {
        return tx.update("DELETE FROM accounts.pending_log_ins WHERE secret_hash = :hash")
                        .bind("hash", secret.hash())
                        .execute()
                == 1;
    }

    int deleteExpiredPending(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.pending_log_ins
                        WHERE secret_hash IN (
                            SELECT secret_hash FROM accounts.pending_log_ins
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }
}
