package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.secrets.UnreadableSecretException;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks codes of authenticator apps and recovery codes, each of which is accepted once, and lets owners know of each change of
 * their second factors. Callers limit how often somebody may try.
 */
final class FactorCheck {

    private static final Logger log = LoggerFactory.getLogger(FactorCheck.class);
    private static final int RECOVERY_CODES = 10;
    private static final int MAX_TYPED = 100;

    private final InstantSource clock;
    private final Users users;
    private final AuditLog audit;
    private final Mailer mailer;
    private final AppSecrets secrets;
    private final SecondFactorStore store = new SecondFactorStore();

    FactorCheck(InstantSource clock, Users users, AuditLog audit, Mailer mailer, AppSecrets secrets) {
        this.clock = clock;
        this.users = users;
        this.audit = audit;
        this.mailer = mailer;
        this.secrets = secrets;
    }

    boolean isEnrolled(Reads reads, UserId user) {
        return store.isEnrolled(reads, user);
    }

    /** Fails if the account has a second factor, with what it takes. */
    void requireNone(Reads reads, UserId user) {
        if (isEnrolled(reads, user)) {
            throw AccountsProblem.secondFactorRequired(hasApp(reads, user));
        }
    }

    boolean hasApp(Reads reads, UserId user) {
        return store.findApp(reads, user)
                .filter(SecondFactorStore.AppRow::isConfirmed)
                .isPresent();
    }

    /** Uses a code of either kind up; false if it is wrong or was used before. */
    boolean use(Tx tx, UserId user, String typed) {
        if (typed.length() > MAX_TYPED) {
            return false;
        }
        var code = RecoveryCode.normalized(typed);
        return useApp(tx, user, code) || useRecoveryCode(tx, user, new RecoveryCode(code));
    }

    private boolean useApp(Tx tx, UserId user, String code) {
        var app = store.findApp(tx, user);
        if (app.isEmpty()) {
            return false;
        }
        var now = clock.instant();
        OptionalLong step;
        try {
            step = secret(app.get(), user).stepOf(code, now);
        } catch (UnreadableSecretException e) {
            log.warn("An authenticator app of {} cannot be asked; recovery codes can", user, e);
            return false;
        }
        return step.isPresent() && store.useApp(tx, user, app.get().id(), step.getAsLong(), now);
    }

    private boolean useRecoveryCode(Tx tx, UserId user, RecoveryCode code) {
        boolean used = code.isWellFormed() && store.useRecoveryCode(tx, user, code);
        if (used) {
            audit.record(tx, user, Action.RECOVERY_CODE_USED, user);
            notifyOwner(tx, Action.RECOVERY_CODE_USED, user);
        }
        return used;
    }

    Totp secret(SecondFactorStore.AppRow app, UserId owner) {
        return new Totp(secrets.decrypt(owner, app.secret()));
    }

    byte[] encrypted(Tx tx, Totp secret, UserId owner) {
        return secrets.encrypt(tx, owner, secret.secret());
    }

    /** Recovery codes in place of all former ones, as they are shown once. */
    List<String> renewRecoveryCodes(Tx tx, UserId user) {
        var codes = Stream.generate(RecoveryCode::random).limit(RECOVERY_CODES).toList();
        store.replaceRecoveryCodes(tx, user, codes);
        return codes.stream().map(RecoveryCode::text).toList();
    }

    /** Writes a change of second factors into the audit log, and lets their owner know by mail: late rather than never. */
    void record(Tx tx, Caller caller, Action change, UserId owner) {
        audit.record(tx, caller, change, Target.of(owner));
        notifyOwner(tx, change, owner);
    }

    private void notifyOwner(Tx tx, Action change, UserId owner) {
        users.find(tx, owner)
                .ifPresent(profile -> mailer.sendWithoutFail(
                        tx,
                        VerificationMails.secondFactors(
                                users.language(tx, owner), profile.user().email(), change)));
    }
}
