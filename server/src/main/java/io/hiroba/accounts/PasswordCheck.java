package io.hiroba.accounts;

import io.hiroba.accounts.Credentials.Verified;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Verifies passwords under rate limits, which are the same for addresses without an account. A client's address may try so
 * often, right or wrong. An account takes so many wrong passwords an hour, a fifth of them from one address, with a delay that
 * grows; a device that has signed in before has an allowance of its own, and is not locked out by strangers (ADR 64).
 */
final class PasswordCheck {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Credentials credentials;
    private final KnownDevices devices;
    private final Throttle throttle;
    private final FailedLogIns failedLogIns;
    private final Throttle.Limit ofAddress;
    private final Throttle.Limit ofAccount;
    private final Throttle.Limit ofAccountFromAddress;
    private final Throttle.Limit ofDevice;
    private final Db db;
    private final FactorCheck factors;

    PasswordCheck(
            Db db,
            Credentials credentials,
            KnownDevices devices,
            FactorCheck factors,
            Throttle throttle,
            AccountsConfig.Limits limits,
            FailedLogIns failedLogIns) {
        this.db = db;
        this.credentials = credentials;
        this.devices = devices;
        this.factors = factors;
        this.throttle = throttle;
        this.failedLogIns = failedLogIns;
        this.ofAddress = new Throttle.Limit(limits.logInsPerMinute(), Duration.ofMinutes(1));
        this.ofAccount = failures(limits.failuresPerAccount());
        this.ofAccountFromAddress = failures(limits.failuresPerAccount() / 5);
        this.ofDevice = failures(limits.failuresPerAccount() / 10);
    }

    /** The first few as fast as they come, the last ones spread over the hour. */
    private static Throttle.Limit failures(int anHour) {
        int count = Math.max(anHour, 1);
        return new Throttle.Limit(count, HOUR, Math.max(count / 20, Math.min(count, 5)), HOUR.dividedBy(count));
    }

    Verified verify(ClientInfo client, Email email, String password) {
        var address = throttle.check("login:address:" + client.bucket(), ofAddress);
        if (!address.allowed()) {
            throw AccountsProblem.tooOften(address.retryAfter());
        }
        return verify(allowances(client, email), () -> credentials.verify(email, password))
                .orElseThrow(() -> failed(client, email, AccountsProblem.wrongPassword()));
    }

    private List<Allowance> allowances(ClientInfo client, Email email) {
        var known = Optional.ofNullable(client.device()).filter(device -> devices.isKnown(device, email));
        return known.isPresent()
                ? List.of(new Allowance(
                        "login:device:%s:account:%s".formatted(known.get().text(), email), ofDevice))
                : List.of(
                        new Allowance(
                                "login:account:%s:address:%s".formatted(email, client.bucket()), ofAccountFromAddress),
                        new Allowance("login:account:" + email, ofAccount));
    }

    /**
     * Runs {@code then} in a transaction in which the password is right and, where the account has a second factor, so is the code.
     *
     * @param code of the authenticator app or a recovery code; empty if it was not given
     */
    <T> T authenticate(ClientInfo client, Email email, String password, String code, BiFunction<Tx, UserId, T> then) {
        var verified = verify(client, email, password);
        var user = verified.user();
        if (code.isEmpty()) {
            return db.inTransaction(tx -> {
                requireUnchanged(tx, verified);
                factors.requireNone(tx, user);
                return then.apply(tx, user);
            });
        }
        return verifyFactor(client, email, tx -> {
            requireUnchanged(tx, verified);
            return !factors.isEnrolled(tx, user) || factors.use(tx, user, code)
                    ? Optional.of(then.apply(tx, user))
                    : Optional.empty();
        });
    }

    /**
     * Runs an attempt at the second factor of an account in a transaction; a wrong one, which has no result, counts as a wrong
     * password does.
     */
    <T> T verifyFactor(ClientInfo client, Email email, Function<Tx, Optional<T>> attempt) {
        return verify(allowances(client, email), () -> db.inTransaction(attempt))
                .orElseThrow(() -> failed(client, email, AccountsProblem.wrongSecondFactor()));
    }

    private Problem failed(ClientInfo client, Email email, Problem problem) {
        failedLogIns.record(client, email);
        return problem;
    }

    /** Verifies the password of a user who is signed in already, before a change of credentials. */
    Verified verifyCurrent(UserId user, String password) {
        return verify(
                        List.of(new Allowance("login:user:" + user, ofAccountFromAddress)),
                        () -> credentials.verify(user, password))
                .orElseThrow(AccountsProblem::wrongCurrentPassword);
    }

    /** Locks the password until {@code tx} ends; fails if it was changed since it was verified. */
    void requireUnchanged(Tx tx, Verified verified) {
        if (!credentials.stillHolds(tx, verified)) {
            throw AccountsProblem.wrongPassword();
        }
    }

    private record Allowance(String name, Throttle.Limit limit) {}

    /** Every attempt takes its place in the allowances until it turns out to be right, so guesses at once are all counted. */
    private <T> Optional<T> verify(List<Allowance> allowances, Supplier<Optional<T>> attempt) {
        List<Runnable> takeBack = new ArrayList<>();
        for (var allowance : allowances) {
            var reservation = throttle.reserve(allowance.name(), allowance.limit());
            if (!reservation.verdict().allowed()) {
                takeBack.forEach(Runnable::run);
                throw AccountsProblem.tooManyFailures(reservation.verdict().retryAfter());
            }
            takeBack.add(reservation.takeBack());
        }
        boolean failed = false;
        try {
            var verified = attempt.get();
            failed = verified.isEmpty();
            return verified;
        } finally {
            // Also where nothing was compared, since the node was too busy.
            if (!failed) {
                takeBack.forEach(Runnable::run);
            }
        }
    }
}
