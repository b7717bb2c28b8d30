package io.hiroba.accounts.signup;

import io.hiroba.accounts.AccountsConfig;
import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.signin.Client;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.NewMail;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/** The codes that are out: each is good for one purpose, one use, a few attempts and a quarter of an hour. */
public final class Codes {

    private static final int SWEEP_BATCH = 1000;

    private final Db db;
    private final InstantSource clock;
    private final AccountsConfig.Codes config;
    private final CodeLimits limits;
    private final Mailer mailer;
    private final CodeStore store = new CodeStore();

    public Codes(Db db, InstantSource clock, AccountsConfig.Codes config, CodeLimits limits, Mailer mailer) {
        this.db = db;
        this.clock = clock;
        this.config = config;
        this.limits = limits;
        this.mailer = mailer;
    }

    /** Refuses what is asked for too often, by one client or for one address, before anything is looked up. */
    void admit(Client client, Purpose purpose, Email email) {
        limits.admit(client, purpose, email);
    }

    /**
     * Draws a code and mails the letter written with it. Where there is no letter, one is counted all the same: neither
     * the limits nor the work shall tell.
     */
    CodeId send(Tx tx, Pending pending, Function<Code, Optional<NewMail>> letter) {
        var code = Code.random();
        // The column keeps microseconds and would round up: a code must not outlive its time.
        var expiresAt = clock.instant().plus(config.lifetime()).truncatedTo(ChronoUnit.MICROS);
        store.insert(tx, pending, code, expiresAt);
        letter.apply(code)
                .ifPresentOrElse(
                        mail -> mailer.send(tx, mail.withLifetime(config.lifetime())),
                        () -> mailer.withhold(tx, pending.email().value()));
        return pending.id();
    }

    /** Mails what the owner of an account must learn: later rather than not at all. */
    void warn(Tx tx, NewMail mail) {
        mailer.sendWithoutFail(tx, mail);
    }

    /**
     * What {@code typed} confirms. The attempt is committed before it is compared, so that no failure afterwards gives it
     * back; the code itself is used up by {@link #use}.
     */
    Pending check(CodeId id, Purpose purpose, String typed) {
        var attempt = db.inTransaction(tx -> store.attempt(tx, id, purpose, config.attempts()))
                .orElseThrow(AccountsProblem::codeExpired);
        if (!attempt.expiresAt().isAfter(clock.instant())) {
            throw AccountsProblem.codeExpired();
        }
        if (attempt.number() > config.attempts()) {
            throw AccountsProblem.tooManyAttempts();
        }
        if (!attempt.hash().equals(new Code(typed.strip()).hash(id))) {
            throw AccountsProblem.codeWrong(config.attempts() - attempt.number());
        }
        return attempt.pending();
    }

    /** Uses the code up, together with what it confirms. Of two who know it, the second is told that it is gone. */
    void use(Tx tx, Pending pending) {
        if (!store.delete(tx, pending.id())) {
            throw AccountsProblem.codeExpired();
        }
    }

    /** Removes codes that have run out. */
    void sweep() {
        while (db.inTransaction(tx -> store.sweep(tx, clock.instant(), SWEEP_BATCH)) == SWEEP_BATCH) {
            Thread.onSpinWait();
        }
    }
}
