package io.hiroba.accounts.signin;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Credentials;
import io.hiroba.accounts.Credentials.Verified;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import java.time.Duration;

/**
 * The one place where passwords are tried. Every try counts, right or wrong, against the client's address, against the
 * account from that address and against the account; a right one clears none, so that a thief with an account of their
 * own gains nothing by using it. The account's own limit is wide, so that guessing from one place keeps nobody else out.
 */
public final class PasswordCheck {

    /** How much wider the limit of an account is for all addresses together than for one of them. */
    private static final int FROM_ANYWHERE = 10;

    private final Credentials credentials;
    private final Throttle throttle;
    private final Throttle.Limit ofAddress;
    private final Throttle.Limit ofAccount;
    private final Throttle.Limit ofAccountFromAnywhere;

    public PasswordCheck(Credentials credentials, Throttle throttle, AccountsConfig.Limits limits) {
        this.credentials = credentials;
        this.throttle = throttle;
        this.ofAddress = new Throttle.Limit(limits.logInsPerMinute(), Duration.ofMinutes(1));
        this.ofAccount = new Throttle.Limit(limits.logInsPerAccount(), Duration.ofMinutes(5));
        this.ofAccountFromAnywhere =
                new Throttle.Limit((long) limits.logInsPerAccount() * FROM_ANYWHERE, Duration.ofMinutes(5));
    }

    Verified verify(Client client, Email email, String password) {
        admit("login:address:" + client.bucket(), ofAddress);
        admit("login:account:%s:address:%s".formatted(email, client.bucket()), ofAccount);
        admit("login:account:" + email, ofAccountFromAnywhere);
        return credentials.verify(email, password).orElseThrow(AccountsProblem::wrongPassword);
    }

    /** Has somebody who is signed in show that they are the owner, and not just at the owner's keyboard. */
    public Verified verifyOwn(UserId user, String password) {
        admit("login:user:" + user, ofAccount);
        return credentials.verify(user, password).orElseThrow(AccountsProblem::wrongCurrentPassword);
    }

    /** Holds the password still until {@code tx} ends, or fails if it was changed since it was verified. */
    public void requireStill(Tx tx, Verified verified) {
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
