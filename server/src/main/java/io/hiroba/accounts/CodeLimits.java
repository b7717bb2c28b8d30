package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.http.Throttle;
import java.time.Duration;

/**
 * The rate limits of verification codes. The limit of an address keeps six digits safe: each code may be tried a few times, so
 * the number of codes bounds the number of guesses.
 */
final class CodeLimits {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Throttle throttle;
    private final Throttle.Limit ofClient;
    private final Throttle.Limit ofEmail;

    CodeLimits(Throttle throttle, AccountsConfig.Limits limits) {
        this.throttle = throttle;
        this.ofClient = new Throttle.Limit(limits.signUpsPerHour(), HOUR);
        this.ofEmail = new Throttle.Limit(limits.codesPerHour(), HOUR);
    }

    void admit(ClientInfo client, CodePurpose purpose, Email email) {
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
