package io.hiroba.accounts;

import io.hiroba.accounts.Credentials.Verified;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The column {@code password} of users. */
final class CredentialStore {

    Optional<Verified> find(Reads reads, Email email) {
        return reads.query("SELECT id, password FROM accounts.users WHERE email = :email")
                .bind("email", email.value())
                .map(CredentialStore::known)
                .findOne();
    }

    Optional<Verified> find(Reads reads, UserId user) {
        return reads.query("SELECT id, password FROM accounts.users WHERE id = :id")
                .bind("id", user.value())
                .map(CredentialStore::known)
                .findOne();
    }

    boolean lockUnchanged(Tx tx, Verified verified) {
        return tx.query("SELECT 1 FROM accounts.users WHERE id = :id AND password = :hash FOR NO KEY UPDATE")
                .bind("id", verified.user().value())
                .bind("hash", verified.hash().encoded())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /** The address of the account. */
    Optional<Email> set(Tx tx, UserId user, PasswordHash hash) {
        return tx.query("UPDATE accounts.users SET password = :hash WHERE id = :id RETURNING email")
                .bind("id", user.value())
                .bind("hash", hash.encoded())
                .map(row -> new Email(row.getString("email")))
                .findOne();
    }

    /** Replaces the hash unless another password was set meanwhile. */
    boolean replace(Tx tx, Verified known, PasswordHash renewed) {
        return tx.update("""
                        UPDATE accounts.users SET password = :renewed WHERE id = :id AND password = :known
                        """)
                        .bind("id", known.user().value())
                        .bind("known", known.hash().encoded())
                        .bind("renewed", renewed.encoded())
                        .execute()
                == 1;
    }

    private static Verified known(ResultSet row) throws SQLException {
        return new Verified(new UserId(row.getLong("id")), new PasswordHash(row.getString("password")));
    }
}
