package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Rows of codes. */
final class VerificationCodeStore {

    void insert(Tx tx, PendingVerification pending, VerificationCode code, Instant expiresAt) {
        tx.update("""
                        INSERT INTO accounts.codes (id, purpose, email, user_id, code_hash, expires_at)
                        VALUES (:id, :purpose, :email, :user, :hash, :expiresAt)
                        """)
                .bind("id", pending.id().value())
                .bind("purpose", pending.purpose().code())
                .bind("email", pending.email().value())
                .bind("user", pending.user().map(UserId::value).orElse(null))
                .bind("hash", HexFormat.of().parseHex(code.hash(pending.id())))
                .bind("expiresAt", expiresAt)
                .execute();
    }

    Optional<Email> address(Reads reads, CodeId id, CodePurpose purpose) {
        return reads.query("SELECT email FROM accounts.codes WHERE id = :id AND purpose = :purpose")
                .bind("id", id.value())
                .bind("purpose", purpose.code())
                .map(row -> new Email(row.getString("email")))
                .findOne();
    }

    /** Counts an attempt. The row lock serializes concurrent guesses, so each gets a number of its own. */
    Optional<Attempt> attempt(Tx tx, CodeId id, CodePurpose purpose, int maxAttempts) {
        return tx.query("""
                UPDATE accounts.codes
                SET attempts = least(attempts + 1, :maxAttempts + 1)
                WHERE id = :id AND purpose = :purpose
                RETURNING email, user_id, code_hash, attempts, expires_at
                """)
                .bind("id", id.value())
                .bind("purpose", purpose.code())
                .bind("maxAttempts", maxAttempts)
                .map(row -> attempt(row, id, purpose))
                .findOne();
    }

    /** Deletes the codes of an account and those sent to its address: none may outlive a change of password or address. */
    void deleteAll(Tx tx, UserId user, Email address) {
        tx.update("DELETE FROM accounts.codes WHERE user_id = :user OR email = :address")
                .bind("user", user.value())
                .bind("address", address.value())
                .execute();
    }

    /** False if somebody else was first. */
    boolean delete(Tx tx, CodeId id) {
        return tx.update("DELETE FROM accounts.codes WHERE id = :id")
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    int deleteExpired(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.codes
                        WHERE id IN (
                            SELECT id FROM accounts.codes
                            WHERE expires_at <= :now
                            ORDER BY expires_at
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }

    /** A guess that was counted: the {@code number}-th for its code. */
    record Attempt(PendingVerification pending, String hash, int number, Instant expiresAt) {}

    private static Attempt attempt(ResultSet row, CodeId id, CodePurpose purpose) throws SQLException {
        long user = row.getLong("user_id");
        Optional<UserId> account = row.wasNull() ? Optional.empty() : Optional.of(new UserId(user));
        return new Attempt(
                new PendingVerification(id, purpose, new Email(row.getString("email")), account),
                HexFormat.of().formatHex(row.getBytes("code_hash")),
                row.getInt("attempts"),
                Columns.instant(row, "expires_at"));
    }
}
