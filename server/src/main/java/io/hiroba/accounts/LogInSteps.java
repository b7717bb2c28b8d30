package io.hiroba.accounts;

import io.hiroba.accounts.Passkeys.Challenge;
import io.hiroba.accounts.Passkeys.PasskeyAnswer;
import io.hiroba.accounts.Passkeys.Purpose;
import io.hiroba.accounts.SecondFactorStore.Pending;
import io.hiroba.accounts.Sessions.StartedSession;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Logs people in on pages: by the password and, where the account has one, a second factor; or by a passkey alone. Between the
 * two steps there is no session, but a pending log-in with a secret of its own, for ten minutes and a few attempts.
 */
public final class LogInSteps {

    static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final int MAX_ATTEMPTS = 5;

    private final Db db;
    private final InstantSource clock;
    private final PasswordCheck check;
    private final FactorCheck factors;
    private final Sessions sessions;
    private final Passkeys passkeys;
    private final SecondFactorStore store = new SecondFactorStore();
    private final PasskeyStore keys = new PasskeyStore();

    LogInSteps(
            Db db,
            InstantSource clock,
            PasswordCheck check,
            FactorCheck factors,
            Sessions sessions,
            Passkeys passkeys) {
        this.db = db;
        this.clock = clock;
        this.check = check;
        this.factors = factors;
        this.sessions = sessions;
        this.passkeys = passkeys;
    }

    /**
     * The result of the right password.
     *
     * @param session none if a second factor is asked for
     * @param pending the secret of a log-in that waits for it; empty if there is a session
     */
    public record FirstStep(Optional<StartedSession> session, String pending) {

        @Override
        public String toString() {
            return "FirstStep[%s]".formatted(session.isPresent() ? session : "pending");
        }
    }

    /** The first step; 401 if the password is wrong, 429 after too many attempts. */
    public FirstStep start(ClientInfo client, Email email, String password) {
        var verified = check.verify(client, email, password);
        return db.inTransaction(tx -> {
            check.requireUnchanged(tx, verified);
            if (!factors.isEnrolled(tx, verified.user())) {
                return new FirstStep(Optional.of(sessions.logIn(tx, client, verified.user())), "");
            }
            var secret = BearerSecret.random(BearerSecret.PENDING);
            store.insertPending(tx, secret, verified.user(), clock.instant().plus(LIFETIME));
            return new FirstStep(Optional.empty(), secret.text());
        });
    }

    /** The second factors that a pending log-in may be completed with, besides recovery codes. */
    public record Accepted(boolean app, boolean passkey) {}

    /** The factors that are accepted; nothing if there is no such log-in any more. */
    public Optional<Accepted> accepted(String pending) {
        return find(pending)
                .map(found -> db.read(reads -> new Accepted(
                        factors.hasApp(reads, found.user()),
                        !keys.list(reads, found.user()).isEmpty())));
    }

    /** Completes a log-in with a code of the authenticator app or a recovery code. */
    public StartedSession complete(ClientInfo client, String pending, String code) {
        var secret = new BearerSecret(pending);
        var found = find(pending).orElseThrow(AccountsProblem::logInExpired);
        // Committed before the code is compared, so that no failure gives the attempt back.
        if (!db.inTransaction(tx -> store.countAttempt(tx, secret, MAX_ATTEMPTS))) {
            throw AccountsProblem.logInExpired();
        }
        return check.verifyFactor(client, found.email(), tx -> {
            if (!factors.use(tx, found.user(), code)) {
                return Optional.empty();
            }
            requirePending(store.deletePending(tx, secret));
            return Optional.of(sessions.logIn(tx, client, found.user()));
        });
    }

    /** A challenge to the passkeys of the account. */
    public Challenge startPasskey(String origin, String pending) {
        var found = find(pending).orElseThrow(AccountsProblem::logInExpired);
        return passkeys.startAssertion(origin, Purpose.SECOND_FACTOR, Optional.of(found.user()));
    }

    /** Completes a log-in with a passkey. */
    public StartedSession complete(String origin, ClientInfo client, String pending, PasskeyAnswer answer) {
        var found = find(pending).orElseThrow(AccountsProblem::logInExpired);
        var signed = passkeys.verify(origin, Purpose.SECOND_FACTOR, Optional.of(found.user()), answer);
        return db.inTransaction(tx -> {
            passkeys.use(tx, signed);
            requirePending(store.deletePending(tx, new BearerSecret(pending)));
            return sessions.logIn(tx, client, found.user());
        });
    }

    /** Logs in with a passkey alone, which has verified who holds it. */
    public StartedSession logIn(String origin, ClientInfo client, PasskeyAnswer answer) {
        var signed = passkeys.verify(origin, Purpose.LOG_IN, Optional.empty(), answer);
        return db.inTransaction(tx -> {
            passkeys.use(tx, signed);
            return sessions.logIn(tx, client, signed.user());
        });
    }

    private Optional<Pending> find(String pending) {
        var secret = new BearerSecret(pending);
        return secret.isWellFormed(BearerSecret.PENDING)
                ? db.read(reads -> store.findPending(reads, secret, clock.instant(), MAX_ATTEMPTS))
                : Optional.empty();
    }

    private static void requirePending(boolean isPending) {
        if (!isPending) {
            throw AccountsProblem.logInExpired();
        }
    }

    /** Deletes log-ins that were not completed. */
    void sweep() {
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpiredPending(tx, clock.instant(), limit)));
    }
}
