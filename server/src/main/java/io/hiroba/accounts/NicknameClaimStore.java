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
        return isUsed(reads, nickname, "NOT");
    }

    boolean isAgents(Reads reads, Nickname nickname) {
        return isUsed(reads, nickname, "");
    }

    /** Whose account it is goes by its address and its lack of a password, which nobody chooses: anybody may say in their profile that a model writes for them. */
    private static boolean isUsed(Reads reads, Nickname nickname, String not) {
        return reads.query("""
                        SELECT true FROM accounts.users
                        WHERE lower(nickname) = lower(:name) AND %s (email LIKE :addresses AND password = '') LIMIT 1
                        """.formatted(not))
                .bind("name", nickname.value())
                .bind("addresses", "agent-%" + NicknameClaims.AGENTS_DOMAIN)
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }
}
