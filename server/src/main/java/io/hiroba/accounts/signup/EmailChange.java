package io.hiroba.accounts.signup;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.signin.Client;
import io.hiroba.accounts.signin.PasswordCheck;
import io.hiroba.platform.db.Db;
import java.util.Optional;

/** Moving an account to another address, which must be shown to be one's own. */
public final class EmailChange {

    private final Db db;
    private final Users users;
    private final PasswordCheck check;
    private final AuditLog audit;
    private final Codes codes;

    public EmailChange(Db db, Users users, PasswordCheck check, AuditLog audit, Codes codes) {
        this.db = db;
        this.users = users;
        this.check = check;
        this.audit = audit;
        this.codes = codes;
    }

    /**
     * Sends a code to the new address. Whoever holds the address can have the password reset, so asking takes the
     * password. An address that has an account gets a mail that says so, and the answer here is the same.
     */
    public CodeId start(Client client, Caller caller, UserId user, Email email, String password) {
        requireOwner(caller, user);
        var verified = check.verifyOwn(user, password);
        codes.admit(client, Purpose.EMAIL_CHANGE, email);
        return db.inTransaction(tx -> {
            check.requireStill(tx, verified);
            var known = users.findByEmail(tx, email);
            var pending = new Pending(CodeId.random(), Purpose.EMAIL_CHANGE, email, Optional.of(user));
            return codes.send(
                    tx,
                    pending,
                    code -> Optional.of(
                            known.isPresent() ? CodeMails.alreadyKnown(email) : CodeMails.emailChange(email, code)));
        });
    }

    /** Changes the address and tells the former one. */
    public void verify(Caller caller, UserId user, CodeId id, String code) {
        requireOwner(caller, user);
        var pending = codes.check(id, Purpose.EMAIL_CHANGE, code);
        if (!pending.user().equals(Optional.of(user))) {
            throw AccountsProblem.codeExpired();
        }
        db.useTransaction(tx -> {
            codes.use(tx, pending);
            var former = users.changeEmail(tx, user, pending.email());
            audit.record(tx, caller.actor(), AuditLog.Action.EMAIL_CHANGED, user);
            codes.warn(tx, CodeMails.emailChanged(former, pending.email()));
        });
    }

    /** An admin sets somebody else's address directly. */
    private static void requireOwner(Caller caller, UserId user) {
        caller.requireNotActing();
        if (!caller.user().equals(user)) {
            throw AccountsProblem.notYours();
        }
    }
}
