package io.hiroba.accounts;

import io.hiroba.accounts.Credentials.Verified;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import java.time.Duration;

/**
 * Verifies passwords under rate limits. Every attempt counts, correct or not, against the client's address, the account from
 * that address and the account; a correct one resets none, so that an attacker gains nothing from an account of their own. The
 * account's own limit is wide, so that guesses from one address do not lock the owner out.
 */
final class PasswordCheck {

    /** The limit of an account for all addresses together, as a multiple of that for one address. */
    private static final int ALL_ADDRESSES_FACTOR = 10;

    private final Credentials credentials;
    private final Throttle throttle;
    private final Throttle.Limit ofAddress;
    private final Throttle.Limit ofAccount;
    private final Throttle.Limit ofAccountFromAllAddresses;

    PasswordCheck(Credentials credentials, Throttle throttle, AccountsConfig.Limits limits) {
        this.credentials = credentials;
        this.throttle = throttle;
        this.ofAddress = new Throttle.Limit(limits.logInsPerMinute(), Duration.ofMinutes(1));
        this.ofAccount = new Throttle.Limit(limits.logInsPerAccount(), Duration.ofMinutes(5));
        this.ofAccountFromAllAddresses =
                new Throttle.Limit((long) limits.logInsPerAccount() * ALL_ADDRESSES_FACTOR, Duration.ofMinutes(5));
    }

    Verified verify(ClientInfo client, Email email, String password) {
        admit("login:address:" + client.bucket(), ofAddress);
        admit("login:account:%s:address:%s".formatted(email, client.bucket()), ofAccount);
        admit("login:account:" + email, ofAccountFromAllAddresses);
        return credentials.verify(email, password).orElseThrow(AccountsProblem::wrongPassword);
    }

    /** Verifies the password of a user who is signed in already, before a change of credentials. */
    Verified verifyCurrent(UserId user, String password) {
        admit("login:user:" + user, ofAccount);
        return credentials.verify(user, password).orElseThrow(AccountsProblem::wrongCurrentPassword);
    }

    /** Locks the password until {@code tx} ends; fails if it was changed since it was verified. */
    void requireUnchanged(Tx tx, Verified verified) {
        if (!credentials.stillHolds(tx, verified)) {
            throw AccountsProblem.wrongPassword();
        }
    }

    private void admit(String name, Throttle.Limit limit) {
        var verdict = throttle.check(name, limit);
        if (!verdict.allowed()) {
            throw AccountsProblem.tooOften(verdict.retryAfter());
        }
    }
}
