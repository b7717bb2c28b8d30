package io.hiroba.accounts;

import io.hiroba.platform.db.Tx;

/** The codes that are out for an account, which no change of its password or address may outlive. */
final class PendingCodeStore {

    /** Also those for {@code address}, whoever asked for them. */
    void deleteAll(Tx tx, UserId user, Email address) {
        tx.update("DELETE FROM accounts.codes WHERE user_id = :user OR email = :address")
                .bind("user", user.value())
                .bind("address", address.value())
                .execute();
    }
}
