package io.hiroba.accounts;

import io.hiroba.platform.db.Tx;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Keeps the names of people and of agents apart: an agent with somebody's name would be sent what people write to them. */
final class NicknameClaims {

    /** The end of the addresses of agents' accounts, to which no mail goes and with which nobody signs up. */
    static final String AGENTS_DOMAIN = "@agents.invalid";

    /** Those by which people would take an agent for the server, its admins or all of its members. */
    private static final Set<String> RESERVED = Set.of(
            "admin",
            "administrator",
            "all",
            "channel",
            "everybody",
            "everyone",
            "here",
            "hiroba",
            "hirobaadmin",
            "hirobateam",
            "moderator",
            "root",
            "system");

    private static final Pattern NO_LETTER = Pattern.compile("[^\\p{L}\\p{N}]+");

    private final NicknameClaimStore store = new NicknameClaimStore();

    /** As either of the next two, by whose account wants the name. */
    void claim(Tx tx, Nickname nickname, Email account) {
        if (account.value().endsWith(AGENTS_DOMAIN)) {
            claimForAgent(tx, nickname);
        } else {
            claimForPerson(tx, nickname);
        }
    }

    /** Refuses a name that an agent has; until {@code tx} ends none takes it. */
    void claimForPerson(Tx tx, Nickname nickname) {
        store.lock(tx, nickname);
        if (store.isAgents(tx, nickname)) {
            throw AccountsProblem.nicknameOfAgent();
        }
    }

    /** Refuses a name that a person has, or that is reserved; until {@code tx} ends nobody takes it. */
    void claimForAgent(Tx tx, Nickname nickname) {
        if (isReserved(nickname)) {
            throw AccountsProblem.nicknameReserved(nickname);
        }
        store.lock(tx, nickname);
        if (store.isPersons(tx, nickname)) {
            throw AccountsProblem.nicknameOfPerson(nickname);
        }
    }

    private static boolean isReserved(Nickname nickname) {
        var plain = Normalizer.normalize(nickname.value(), Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        return RESERVED.contains(NO_LETTER.matcher(plain).replaceAll(""));
    }
}
