package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.NewMail;
import io.hiroba.platform.task.RetentionSweep;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/** Sends and checks verification codes: each has one purpose, one use, a few attempts and a short lifetime. */
final class VerificationCodes {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Db db;
    private final InstantSource clock;
    private final AccountsConfig.Codes config;
    private final Throttle throttle;
    private final Throttle.Limit clientLimit;
    private final Throttle.Limit emailLimit;
    private final Mailer mailer;
    private final VerificationCodeStore store = new VerificationCodeStore();

    VerificationCodes(Db db, InstantSource clock, AccountsConfig config, Throttle throttle, Mailer mailer) {
        this.db = db;
        this.clock = clock;
        this.config = config.codes();
        this.throttle = throttle;
        this.clientLimit = new Throttle.Limit(config.limits().signUpsPerHour(), HOUR);
        this.emailLimit = new Throttle.Limit(config.limits().codesPerHour(), HOUR);
        this.mailer = mailer;
    }

    /** The minutes that a code is good for, for pages. */
    int minutes() {
        return (int) Math.max(1, config.lifetime().plusSeconds(59).toMinutes());
    }

    /**
     * Enforces the rate limits of client and address, before anything is looked up. The limit of the address keeps six digits
     * safe: each code may be tried a few times, so the number of codes bounds the number of guesses.
     */
    void admit(ClientInfo client, CodePurpose purpose, Email email) {
        admit("code:%s:client:%s".formatted(purpose.code(), client.bucket()), clientLimit);
        admit("code:%s:email:%s".formatted(purpose.code(), email), emailLimit);
    }

    private void admit(String name, Throttle.Limit limit) {
        var verdict = throttle.check(name, limit);
        if (!verdict.allowed()) {
            throw AccountsProblem.tooOften(verdict.retryAfter());
        }
    }

    /**
     * Generates a code and sends the mail composed with it. Where there is no mail, one is counted all the same: neither the
     * limits nor the timing may reveal whether an account exists.
     */
    CodeId send(Tx tx, PendingVerification pending, Function<VerificationCode, Optional<NewMail>> mail) {
        var code = VerificationCode.random();
        // The column rounds to microseconds: rounding up would extend the lifetime.
        var expiresAt = clock.instant().plus(config.lifetime()).truncatedTo(ChronoUnit.MICROS);
        store.insert(tx, pending, code, expiresAt);
        mail.apply(code)
                .ifPresentOrElse(
                        composed -> mailer.send(tx, composed.withLifetime(config.lifetime())),
                        () -> mailer.withhold(tx, pending.email().value()));
        return pending.id();
    }

    /** Sends a security notice to the owner of an account: late rather than never. */
    void notifyOwner(Tx tx, NewMail mail) {
        mailer.sendWithoutFail(tx, mail);
    }

    /** The address that a code was sent to. */
    Optional<Email> address(CodeId id, CodePurpose purpose) {
        return db.read(reads -> store.address(reads, id, purpose));
    }

    /**
     * Checks a code. The attempt is committed before the code is compared, so that no later failure restores it; what cannot be a
     * code is none. {@link #use} uses the code up.
     */
    PendingVerification check(CodeId id, CodePurpose purpose, String typed) {
        var code = VerificationCode.parse(typed)
                .orElseThrow(() -> AccountsProblem.invalid("code", Text.of("accounts.field.code")));
        var attempt = db.inTransaction(tx -> store.attempt(tx, id, purpose, config.attempts()))
                .orElseThrow(AccountsProblem::codeExpired);
        if (!attempt.expiresAt().isAfter(clock.instant())) {
            throw AccountsProblem.codeExpired();
        }
        if (attempt.number() > config.attempts()) {
            throw AccountsProblem.tooManyAttempts();
        }
        if (!attempt.hash().equals(code.hash(id))) {
            throw AccountsProblem.codeWrong(config.attempts() - attempt.number());
        }
        return attempt.pending();
    }

    /** Uses the code up in the transaction of what it verifies; the second of two concurrent uses fails. */
    void use(Tx tx, PendingVerification pending) {
        if (!store.delete(tx, pending.id())) {
            throw AccountsProblem.codeExpired();
        }
        mailer.blankUsed(tx, pending.email().value());
    }

    /** Deletes expired codes. */
    void sweep() {
        RetentionSweep.run(limit -> db.inTransaction(tx -> store.deleteExpired(tx, clock.instant(), limit)));
    }
}
