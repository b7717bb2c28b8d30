package io.hiroba.accounts;

import io.hiroba.platform.db.Reads;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Queries for accounts by e-mail address, for nicknames and for active ones, for features that name or ask people. */
public final class AccountLookup {

    private final UserStore users = new UserStore();
    private final SuspensionStore suspensions = new SuspensionStore();
    private final NicknameClaimStore names = new NicknameClaimStore();

    /** The account with this address, as somebody typed it. */
    public Optional<UserId> byEmail(Reads reads, String typed) {
        var email = typed.strip().toLowerCase(Locale.ROOT);
        return Optional.ofNullable(users.findByEmails(reads, List.of(email)).get(email));
    }

    /** The nicknames of those of the accounts that exist. */
    public Map<UserId, String> nicknames(Reads reads, Collection<UserId> accounts) {
        return users.nicknames(reads, accounts);
    }

    /** Those of the accounts that exist and are not suspended, by their ids. */
    public List<UserId> active(Reads reads, Collection<UserId> accounts, Instant now) {
        return suspensions.active(reads, accounts, now);
    }

    /** Those of the accounts that are suspended without an end. */
    public Set<UserId> suspendedForGood(Reads reads, Collection<UserId> accounts) {
        return accounts.isEmpty() ? Set.of() : suspensions.forGood(reads, accounts);
    }

    /** The models of the agents that have this nickname, in any case. */
    public Set<String> agentModels(Reads reads, String nickname) {
        return names.agentModels(reads, nickname);
    }

    /** Those of the accounts that are agents, which decide nothing in the place of people. */
    public Set<UserId> agents(Reads reads, Collection<UserId> accounts) {
        return accounts.isEmpty() ? Set.of() : names.agents(reads, accounts);
    }
}
