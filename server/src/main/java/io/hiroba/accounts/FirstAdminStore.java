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

    Optional<Email> oldestAdmin(Reads reads) {
        return reads.query("SELECT email FROM accounts.users WHERE is_admin ORDER BY id LIMIT 1")
                .map((row, ctx) -> new Email(row.getString("email")))
                .findOne();
    }
}
