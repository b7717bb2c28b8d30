package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.Set;

/** Locks and looks up nicknames that somebody is about to take. */
final class NicknameClaimStore {

    /** Whose account it is goes by its address and its lack of a password, which nobody chooses: anybody may say in their profile that a model writes for them. */
    private static final String IS_AGENT = "(email LIKE :addresses AND password = '')";

    private static final String ADDRESSES = "agent-%" + NicknameClaims.AGENTS_DOMAIN;

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

    /** Also of one that says in its profile that a model writes for it. */
    Set<String> agentModels(Reads reads, String nickname) {
        return Set.copyOf(
                reads.query("""
                        SELECT DISTINCT ai_model FROM accounts.users
                        WHERE lower(nickname) = lower(:name) AND ai_model IS NOT NULL
                        """).bind("name", nickname).mapTo(String.class).list());
    }

    boolean isAgents(Reads reads, Nickname nickname) {
        return isUsed(reads, nickname, "");
    }

    private static boolean isUsed(Reads reads, Nickname nickname, String not) {
        return reads.query("SELECT true FROM accounts.users WHERE lower(nickname) = lower(:name) AND %s %s LIMIT 1"
                        .formatted(not, IS_AGENT))
                .bind("name", nickname.value())
                .bind("addresses", ADDRESSES)
                .mapTo(Boolean.class)
                .findOne()
                .isPresent();
    }

    /** Those of the accounts that are agents. */
    Set<UserId> agents(Reads reads, Collection<UserId> accounts) {
        return Set.copyOf(reads.query("SELECT id FROM accounts.users WHERE id = ANY (:accounts) AND " + IS_AGENT)
                .bindArray("accounts", Long.class, accounts, UserId::value)
                .bind("addresses", ADDRESSES)
                .map(row -> new UserId(row.getLong("id")))
                .list());
    }
}
