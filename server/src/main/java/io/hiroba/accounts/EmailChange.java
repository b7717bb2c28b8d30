package io.hiroba.accounts;

import io.hiroba.accounts.PendingVerification.CodePurpose;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Changes the address of an account, with a code that verifies the new one. */
public final class EmailChange {

    private final Db db;
    private final Users users;
    private final PasswordCheck check;
    private final AuditLog audit;
    private final VerificationCodes codes;

    EmailChange(Db db, Users users, PasswordCheck check, AuditLog audit, VerificationCodes codes) {
        this.db = db;
        this.users = users;
        this.check = check;
        this.audit = audit;
        this.codes = codes;
    }

    /**
     * Sends a code to the new address. Whoever has the address can reset the password, so this takes the password. An address
     * that has an account gets a mail that says so, and the answer is the same.
     */
    public CodeId start(ClientInfo client, Caller caller, UserId user, Email email, String password) {
        requireOwner(caller, user);
        var verified = check.verifyCurrent(user, password);
        codes.admit(client, CodePurpose.EMAIL_CHANGE, email);
        return db.inTransaction(tx -> {
            check.requireUnchanged(tx, verified);
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
            audit.record(tx, caller.actor(), AuditLog.Action.EMAIL_CHANGED, user);
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
