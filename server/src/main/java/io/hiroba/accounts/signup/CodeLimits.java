package io.hiroba.accounts.signup;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.signin.Client;
import io.hiroba.platform.http.Throttle;
import java.time.Duration;

/**
 * How often codes may be asked for. The limit of an address is what keeps six digits safe: each code may be tried a few
 * times, so the number of codes bounds the number of guesses.
 */
public final class CodeLimits {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Throttle throttle;
    private final Throttle.Limit ofClient;
    private final Throttle.Limit ofEmail;

    public CodeLimits(Throttle throttle, AccountsConfig.Limits limits) {
        this.throttle = throttle;
        this.ofClient = new Throttle.Limit(limits.signUpsPerHour(), HOUR);
        this.ofEmail = new Throttle.Limit(limits.codesPerHour(), HOUR);
    }

    void admit(Client client, Purpose purpose, Email email) {
        admit("code:%s:client:%s".formatted(purpose.code(), client.bucket()), ofClient);
        admit("code:%s:email:%s".formatted(purpose.code(), email), ofEmail);
    }

    private void admit(String name, Throttle.Limit limit) {
        var verdict = throttle.check(name, limit);
        if (!verdict.allowed()) {
            throw AccountsProblem.tooOften(verdict.retryAfter());
        }
    }
}
