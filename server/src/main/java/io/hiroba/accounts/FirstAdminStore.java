package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Optional;

/** What making the first admin asks of the database. */
final class FirstAdminStore {

    private static final long LOCK = 7164200501L;

    /** Lets one node at a time look and make. */
    void lock(Tx tx) {
        tx.query("SELECT CAST(pg_advisory_xact_lock(:lock) AS text)")
                .bind("lock", LOCK)
                .mapTo(String.class)
                .one();
    }

    /** The admin with the address {@code named} if there is one, else the oldest. */
    Optional<Email> admin(Reads reads, Email named) {
        return reads.query("SELECT email FROM accounts.users WHERE is_admin ORDER BY email <> :named, id LIMIT 1")
                .bind("named", named.value())
                .map(row -> new Email(row.getString("email")))
                .findOne();
    }
}
