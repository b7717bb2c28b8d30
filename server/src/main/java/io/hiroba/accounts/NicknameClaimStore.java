package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;

/** Locks and looks up nicknames that somebody is about to take. */
final class NicknameClaimStore {

    /** Lets others who want the name, in any case, wait until {@code tx} ends. */
    void lock(Tx tx, Nickname nickname) {
        tx.query("SELECT pg_advisory_xact_lock(hashtext('accounts.nickname'), hashtext(lower(:name))) IS NULL")
                .bind("name", nickname.value())
                .mapTo(Boolean.class)
                .one();
    }

    boolean isPersons(Reads reads, Nickname nickname) {
        return isUsed(reads, nickname, "IS NULL");
    }

    boolean isAgents(Reads reads, Nickname nickname) {
        return isUsed(reads, nickname, "IS NOT NULL");
    }

    private static boolean isUsed(Reads reads, Nickname nickname, String model) {
        return reads.query("""
                        SELECT true FROM accounts.users WHERE lower(nickname) = lower(:name) AND ai_model %s LIMIT 1
                        """.formatted(model))
                .bind("name", nickname.value())
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }
}
