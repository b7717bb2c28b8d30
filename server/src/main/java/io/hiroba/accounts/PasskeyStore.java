package io.hiroba.accounts;

import io.hiroba.accounts.SecondFactors.Factor;
import io.hiroba.accounts.SecondFactors.FactorId;
import io.hiroba.accounts.SecondFactors.Kind;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of passkeys and of challenges to them. */
final class PasskeyStore {

    /** A passkey as its signatures are verified. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Credential(byte[] id, UserId user, byte[] publicKey, long signCount) {}

    List<Factor> list(Reads reads, UserId user) {
        return reads.query("""
                SELECT id, name, last_used_at
                FROM accounts.passkeys
                WHERE user_id = :user
                ORDER BY id
                """)
                .bind("user", user.value())
                .map(row -> {
                    return new Factor(
                            new FactorId(row.getLong("id")),
                            Kind.PASSKEY,
                            row.getString("name"),
                            Columns.instantOrNull(row, "last_used_at"));
                })
                .list();
    }

    List<Credential> credentials(Reads reads, UserId user) {
        return reads.query("""
                SELECT credential_id, user_id, public_key, sign_count
                FROM accounts.passkeys
                WHERE user_id = :user
                ORDER BY id
                """)
                .bind("user", user.value())
                .map(PasskeyStore::credential)
                .list();
    }

    Optional<Credential> find(Reads reads, byte[] credentialId) {
        return reads.query("""
                SELECT credential_id, user_id, public_key, sign_count
                FROM accounts.passkeys
                WHERE credential_id = :id
                """)
                .bind("id", credentialId)
                .map(PasskeyStore::credential)
                .findOne();
    }

    private static Credential credential(ResultSet row) throws SQLException {
        return new Credential(
                row.getBytes("credential_id"),
                new UserId(row.getLong("user_id")),
                row.getBytes("public_key"),
                row.getLong("sign_count"));
    }

    /** False if it is registered already. */
    boolean insert(Tx tx, FactorId id, Credential credential, String name) {
        return tx.update("""
                        INSERT INTO accounts.passkeys (id, user_id, credential_id, public_key, sign_count, name)
                        VALUES (:id, :user, :credential, :key, :count, :name)
                        ON CONFLICT (credential_id) DO NOTHING
                        """)
                        .bind("id", id.value())
                        .bind("user", credential.user().value())
                        .bind("credential", credential.id())
                        .bind("key", credential.publicKey())
                        .bind("count", credential.signCount())
                        .bind("name", name)
                        .execute()
                == 1;
    }

    /**
     * Notes a use; false if the counter did not go forward, or the passkey was removed. Passkeys that do not count stay at 0. The
     * row's lock decides between two at once.
     */
    boolean use(Tx tx, byte[] credentialId, long signCount, Instant now) {
        return tx.update("""
                        UPDATE accounts.passkeys
                        SET sign_count = :count, last_used_at = :now
                        WHERE credential_id = :id AND (sign_count < :count OR (sign_count = 0 AND :count = 0))
                        """)
                        .bind("id", credentialId)
                        .bind("count", signCount)
                        .bind("now", now)
                        .execute()
                == 1;
    }

    boolean delete(Tx tx, UserId user, FactorId id) {
        return tx.update("DELETE FROM accounts.passkeys WHERE user_id = :user AND id = :id")
                        .bind("user", user.value())
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    void insertChallenge(
            Tx tx, BearerSecret secret, String purpose, Optional<UserId> user, String request, Instant expiresAt) {
        tx.update("""
                        INSERT INTO accounts.passkey_challenges (secret_hash, purpose, user_id, request, expires_at)
                        VALUES (:hash, :purpose, :user, :request, :expiresAt)
                        """)
                .bind("hash", secret.hash())
                .bind("purpose", purpose)
                .bind("user", user.map(UserId::value).orElse(null))
                .bind("request", request)
                .bind("expiresAt", expiresAt)
                .execute();
    }

    /** Takes a challenge for its only answer. */
    Optional<String> takeChallenge(Tx tx, BearerSecret secret, String purpose, Optional<UserId> user, Instant now) {
        return tx.query("""
                DELETE FROM accounts.passkey_challenges
                WHERE secret_hash = :hash AND purpose = :purpose AND user_id IS NOT DISTINCT FROM :user
                  AND expires_at > :now
                RETURNING request
                """)
                .bind("hash", secret.hash())
                .bind("purpose", purpose)
                .bind("user", user.map(UserId::value).orElse(null))
                .bind("now", now)
                .mapTo(String.class)
                .findOne();
    }

    int deleteExpiredChallenges(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.passkey_challenges
                        WHERE secret_hash IN (
                            SELECT secret_hash FROM accounts.passkey_challenges
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }
}
