package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Changes the address of an account, with a code that verifies the new one. */
public final class EmailChange {

    private final Db db;
    private final Users users;
    private final Sessions sessions;
    private final AuditLog audit;
    private final VerificationCodes codes;

    EmailChange(Db db, Users users, Sessions sessions, AuditLog audit, VerificationCodes codes) {
        this.db = db;
        this.users = users;
        this.sessions = sessions;
        this.audit = audit;
        this.codes = codes;
    }

    /**
     * Sends a code to the new address. Whoever has the address can reset the password, so the caller is confirmed first. An
     * address that has an account gets a mail that says so, and the answer is the same.
     *
     * @param password empty if the session was confirmed lately
     */
    public CodeId start(ClientInfo client, Caller caller, UserId user, Email email, String password) {
        requireOwner(caller, user);
        var confirmation = sessions.confirm(caller, password);
        codes.admit(client, CodePurpose.EMAIL_CHANGE, email);
        return db.inTransaction(tx -> {
            confirmation.require(tx);
            var known = users.findByEmail(tx, email);
            var pending = new PendingVerification(CodeId.random(), CodePurpose.EMAIL_CHANGE, email, Optional.of(user));
            return codes.send(
                    tx,
                    pending,
                    code -> Optional.of(
                            known.isPresent()
                                    ? VerificationMails.accountExists(client.language(), email)
                                    : VerificationMails.emailChange(client.language(), email, code)));
        });
    }

    /** The minutes that a code is good for. */
    public int codeMinutes() {
        return codes.minutes();
    }

    /** Changes the address and notifies the former one. */
    public void verify(Caller caller, UserId user, CodeId id, String code) {
        requireOwner(caller, user);
        var pending = codes.check(id, CodePurpose.EMAIL_CHANGE, code);
        if (!pending.user().equals(Optional.of(user))) {
            throw AccountsProblem.codeExpired();
        }
        db.useTransaction(tx -> {
            codes.use(tx, pending);
            var former = users.changeEmail(tx, user, pending.email());
            var changes =
                    Changes.NONE.with("email", former.value(), pending.email().value());
            audit.record(tx, caller, AuditLog.Action.EMAIL_CHANGED, Target.of(user), changes);
            var language = users.language(tx, user);
            codes.notifyOwner(tx, VerificationMails.emailChanged(language, former, pending.email()));
        });
    }

    /** Admins set the addresses of other users directly. */
    private static void requireOwner(Caller caller, UserId user) {
        caller.requireNotActing();
        if (!caller.user().equals(user)) {
            throw AccountsProblem.notYours();
        }
    }
}
